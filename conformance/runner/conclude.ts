import { type RuleId, rules } from "../../generated/rules.ts";
import type { Rule } from "../../generated/runtime/rule.ts";
import type { Check } from "../context/check.ts";
import { monitorId } from "../monitor/monitor.ts";
import { Blocked, type Finding, NotApplicable, type ToldFinding, type Verdict } from "../outcome/verdict.ts";
import { blockedByBreach } from "./blame.ts";
import { coverageOf } from "./coverage.ts";
import type { Block, Plan } from "./plan.ts";
import type { RuleResult } from "./run-result.ts";

/**
 * The findings of a check that has ended: rules that it left undecided say why. Where the kit failed all of them do, as
 * nobody knows what the check would have found yet.
 */
export function concluded(check: Check, found: readonly Finding[], ended: unknown): Finding[] {
  const undecided = check.rules.filter((rule) => !found.some((f) => f.rule === rule));
  const why = blockedByBreach(found, ended) ?? ended;
  const telling = isKitFault(ended) ? check.rules : undecided;
  return [...found, ...telling.map((rule) => undecidedFinding(check, rule, ...reasonOf(why)))];
}

const isKitFault = (ended: unknown): boolean =>
  ended !== null && !(ended instanceof Blocked) && !(ended instanceof NotApplicable);

type Reason = readonly [verdict: Verdict, message: string, block: Blocked | null];

function reasonOf(ended: unknown): Reason {
  if (ended instanceof Blocked) return ["blocked", ended.message, ended];
  if (ended instanceof NotApplicable) return ["not_applicable", ended.message, null];
  if (ended instanceof Error) return ["kit_error", `${ended.message} (${firstFrame(ended)})`, null];
  return ["kit_error", ended === null ? "the check ended without deciding this rule" : String(ended), null];
}

const firstFrame = (error: Error): string => error.stack?.split("\n")[1]?.trim() ?? "no stack";

const undecidedFinding = (
  check: Check,
  rule: RuleId,
  verdict: Verdict,
  message: string,
  block: (Pick<Finding, "unblock" | "origin"> & Partial<Pick<Blocked, "exchange">>) | null,
): Finding => ({
  rule,
  check: check.id,
  verdict,
  message,
  expected: null,
  actual: null,
  exchanges: block?.exchange ? [block.exchange] : [],
  deliveries: [],
  unblock: block?.unblock ?? null,
  origin: block?.origin ?? null,
  question: null,
  counterexample: null,
});

/** The findings of a check that the plan kept from running. */
export const blockedFindings = (check: Check, { verdict, message, unblock }: Block): Finding[] => {
  const origin = verdict === "blocked" ? "target file" : null;
  return check.rules.map((rule) => undecidedFinding(check, rule, verdict, message, { unblock, origin }));
};

/** From most to least telling: one breach outweighs any pass, one pass outweighs what was not decided. */
const weight: readonly Verdict[] = ["fail", "kit_error", "warn", "pass", "observed", "blocked", "not_applicable"];

/** The most telling of some verdicts. */
export const worstOf = (verdicts: readonly Verdict[]): Verdict => weight.find((v) => verdicts.includes(v)) ?? "blocked";

/** The result of a rule about an operation that the target does not implement; null for any other. */
export function unservedResult(id: RuleId, { served }: Plan): RuleResult | null {
  const message = served.rule(id);
  return message === null
    ? null
    : { id, rule: rules[id], verdict: "not_applicable", message, coverage: null, findings: [] };
}

/** Why a rule has no finding. */
function unjudged(id: RuleId, { ran, checks }: Ran): string {
  const { draft }: Rule = rules[id];
  const isListed = checks.some(({ rules: own }) => own.some((rule) => rule === id));
  if (!isListed && draft !== undefined)
    return `untested: a draft, for which ${draft.owner} owes a check until ${draft.expires}`;
  if (!isListed) return `no check lists ${id}: add it to the rules of one in conformance/checks/ that decides it`;
  return ran ? "no check of this run decides it" : "nothing was run";
}

/** The checks that a run could choose from, and whether any was run. */
interface Ran {
  readonly checks: readonly Check[];
  readonly ran: boolean;
}

/** What a run found about one rule. */
export function ruleResult(
  id: RuleId,
  findings: readonly ToldFinding[],
  run: Ran,
  plan: Pick<Plan, "asked" | "checks" | "served">,
): RuleResult {
  const mine = findings.filter((f) => f.rule === id);
  const verdict = worstOf(mine.map((f) => f.verdict));
  const telling = mine.find((f) => f.verdict === verdict && f.verdict !== "pass");
  const message = telling?.message ?? (mine.length > 0 ? "" : unjudged(id, run));
  return {
    id,
    rule: rules[id],
    verdict,
    message,
    coverage: coverageOf(id, mine, plan),
    findings: mine.filter((f) => f.check !== monitorId || f.verdict !== "blocked" || mine.length === 1),
  };
}
