import type { Rule } from "../contract.ts";
import type { ChangeId } from "./change-table.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import { type FactContext, factAt } from "./fact-context.ts";
import { pointerOf } from "./json-at.ts";
import { pairs, textPairs } from "./pairs.ts";

/** Rules by id; what each touches is the rule itself. */
export function diffRules({ base, head }: FactContext): readonly Draft[] {
  const found = pairs(base.rules, head.rules, ({ id }) => id);
  const at = (side: "base" | "head", rule: Rule): Where =>
    factAt(side, pointerOf("rules", rule.id), [rule.id], rule.place);
  return [
    ...found.removed.map((rule) =>
      rule.level === "must"
        ? draft(
            "rule-removed",
            at("base", rule),
            `${rule.id} is gone: a client that relies on it has no promise any more. It said: ${rule.says}`,
          )
        : draft(
            "advice-removed",
            at("base", rule),
            `${rule.id}, which bound nobody, is gone: a client that counted on it may be disappointed. It said: ${rule.says}`,
          ),
    ),
    ...found.added.map((rule) =>
      draft(
        "rule-added",
        at("head", rule),
        `${rule.id} is new: a server that passed may break it. It says: ${rule.says}`,
      ),
    ),
    ...found.both.flatMap(([before, after]) => diffRule(before, after, at("head", after))),
  ];
}

function diffRule(base: Rule, head: Rule, where: Where): readonly Draft[] {
  const questions = textPairs(base.questions, head.questions);
  const told = (id: ChangeId, is: boolean, message: string): readonly Draft[] =>
    is ? [draft(id, where, `${head.id} ${message}`)] : [];
  // A value that got a placeholder, or lost one, says the same.
  const resaid = base.template !== head.template && base.says !== head.says;
  const moved = base.about !== head.about;
  return [
    ...told(
      "rule-reused",
      resaid && moved,
      `speaks about ${head.about}, not ${base.about}, and says something else: who knows the id by its old meaning is misled.`,
    ),
    ...told(
      "rule-meaning-changed",
      resaid && !moved,
      `says something else: who relies on the old sentence may have no promise any more. Now: ${head.says}`,
    ),
    ...told(
      "rule-moved",
      moved && !resaid,
      `is declared on ${head.about}, not on ${base.about}: it says the same, so nobody breaks.`,
    ),
    ...told(
      "rule-value-changed",
      base.template === head.template && base.says !== head.says,
      `has another value in its sentence: who relies on the old one may break. Now: ${head.says}`,
    ),
    ...diffLevel(base, head, where),
    ...told(
      "rule-basis-changed",
      base.basis !== head.basis,
      `rests on "${head.basis}", not on "${base.basis}": what it demands is the same.`,
    ),
    ...told(
      "rule-questions-changed",
      questions.removed.length + questions.added.length > 0,
      `leans on ${head.questions.join(", ") || "no open question"}, not on ${base.questions.join(", ") || "none"}: what servers may do under it differs.`,
    ),
    ...diffDraft(base, head, where),
    ...told(
      "rule-made-unobservable",
      base.unobservable === null && head.unobservable !== null,
      "is said to be unobservable: no check shows any more that a server keeps it.",
    ),
    ...told(
      "rule-made-observable",
      base.unobservable !== null && head.unobservable === null,
      "is observable now: it demands the same, and checks may show it.",
    ),
  ];
}

function diffDraft(base: Rule, head: Rule, where: Where): readonly Draft[] {
  const [before, after] = [base.draft, head.draft];
  if (after === undefined)
    return before === undefined
      ? []
      : [draft("rule-draft-ended", where, `${head.id} is no draft any more: a check shows it.`)];
  if (before?.owner === after.owner && before.expires === after.expires) return [];
  const term = `${after.owner} owes it check and mutant until ${after.expires}`;
  return [draft("rule-drafted", where, `${head.id} is a draft: nothing shows yet that a server keeps it. ${term}.`)];
}

function diffLevel(base: Rule, head: Rule, where: Where): readonly Draft[] {
  if (base.level === head.level) return [];
  const change = `${head.id} is "${head.level}", not "${base.level}"`;
  if (base.level === "must")
    return [draft("rule-weakened", where, `${change}: a client that relies on it has no promise any more.`)];
  if (head.level === "must")
    return [draft("rule-strengthened", where, `${change}: a server that passed may break it.`)];
  return [
    base.level === "should"
      ? draft("advice-weakened", where, `${change}: a client that counted on it may be disappointed.`)
      : draft("advice-strengthened", where, `${change}: it binds nobody, so nobody breaks.`),
  ];
}
