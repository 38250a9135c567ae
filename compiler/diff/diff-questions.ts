import type { OpenQuestion } from "../contract.ts";
import { canonicalJson } from "../schema/canonical-json.ts";
import type { ChangeId } from "./change-table.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import { type FactContext, factAt } from "./fact-context.ts";
import { pointerOf } from "./json-at.ts";
import { pairs, textPairs } from "./pairs.ts";

/** Open questions by id. */
export function diffQuestions({ base, head }: FactContext): readonly Draft[] {
  const found = pairs(base.questions, head.questions, ({ id }) => id);
  const at = (side: "base" | "head", question: OpenQuestion): Where => {
    const contract = side === "base" ? base : head;
    const leaning = contract.rules.filter((rule) => rule.questions.includes(question.id)).map(({ id }) => id);
    return factAt(side, pointerOf("questions", question.id), leaning, question.place);
  };
  return [
    ...found.removed.map((question) =>
      draft(
        "question-settled",
        at("base", question),
        `${question.id} is open no longer: a server that chose otherwise may break a rule. It asked: ${question.asks}`,
      ),
    ),
    ...found.added.map((question) =>
      draft(
        "question-opened",
        at("head", question),
        `${question.id} is open now: a client may meet any of its alternatives. It asks: ${question.asks}`,
      ),
    ),
    ...found.both.flatMap(([before, after]) => diffQuestion(before, after, at("head", after))),
  ];
}

function diffQuestion(base: OpenQuestion, head: OpenQuestion, where: Where): readonly Draft[] {
  // The choice is lawful too: it may take the place of an alternative and the other way round.
  const lawful = textPairs([base.choice, ...base.alternatives], [head.choice, ...head.alternatives]);
  const alternativeAt = (one: string): Where => ({
    ...where,
    pointer: `${where.pointer}${pointerOf("alternatives", one)}`,
  });
  const told = (id: ChangeId, is: boolean, message: string): readonly Draft[] =>
    is ? [draft(id, where, `${head.id} ${message}`)] : [];
  return [
    ...lawful.removed.map((one) =>
      draft(
        "question-alternative-removed",
        alternativeAt(one),
        `${head.id} allows "${one}" no longer: a server that chose it breaks the contract.`,
      ),
    ),
    ...lawful.added.map((one) =>
      draft("question-alternative-added", alternativeAt(one), `${head.id} allows "${one}" now: a client may meet it.`),
    ),
    ...told(
      "reference-choice-changed",
      base.choice !== head.choice,
      `is answered by the reference with "${head.choice}", not "${base.choice}": a client that was tried on it alone may count on the old choice.`,
    ),
    ...told(
      "question-meaning-changed",
      base.asks !== head.asks || base.about !== head.about,
      "asks something else: who knows it by its id may be misled.",
    ),
    ...told(
      "question-kind-changed",
      base.kind !== head.kind,
      `is "${head.kind}", not "${base.kind}": how servers are judged under it differs.`,
    ),
    ...told(
      "question-tolerance-changed",
      base.tolerates !== head.tolerates,
      `tolerates "${head.tolerates ?? "nothing"}", not "${base.tolerates ?? "nothing"}": a server that leaned on the old tolerance may be judged otherwise.`,
    ),
    ...told(
      "question-option-changed",
      canonicalJson(optionOf(base)) !== canonicalJson(optionOf(head)),
      "has another server option: who starts the reference server with the old one may be refused.",
    ),
  ];
}

const optionOf = ({ option }: OpenQuestion) => (option === null ? null : { name: option.name, values: option.values });
