import { type RuleId, rules } from "../../generated/rules.ts";
import type { Rule } from "../../generated/runtime/rule.ts";
import { member } from "../evidence/place.ts";
import { dataOf, objectOf } from "../exchange/exchange.ts";
import { type AnswerViolation, answerViolations } from "./answer-violations.ts";
import type { Answered, Invariant } from "./invariant.ts";

const ruleIds = Object.keys(rules) as readonly RuleId[];

const demandsShape = (id: RuleId): boolean => {
  const { demands }: Rule = rules[id];
  return demands === "dataShape";
};

/** A rule that every success of the operation that it is about has the members that the document shows, with their types. */
const answerShape = (rule: RuleId): Invariant => ({
  rule,
  applies: (exchange) => exchange.operation === rules[rule].about && isSuccessWithObject(exchange),
  breach(exchange) {
    const wrong = answerViolations(exchange).filter(({ pointer }) => /^\/data(\/|$)/.test(pointer));
    if (wrong.length === 0) return null;
    return {
      expected: "every documented member, with its type",
      actual: wrong.map(({ pointer, message }) => `${pointer} ${message}`).join(", "),
      at: wrong.map(({ pointer }) => member(pointer)),
      warning: wrong.every((violation) => isMissingName(exchange, violation)),
    };
  },
});

/** Members and types of the answers that the document shows, whatever led to them. */
export const answerShapes: readonly Invariant[] = ruleIds.filter(demandsShape).map(answerShape);

/** Operations of whose answers the document shows the record; what another one means by a member is the target's. */
export const showsRecord: ReadonlySet<string | null> = new Set(
  ruleIds.filter(demandsShape).map((rule) => rules[rule].about),
);

const isSuccessWithObject = (exchange: Answered): boolean =>
  exchange.outcome.status < 300 && objectOf(dataOf(exchange)) !== null;

/** A key that was given no name, which the document does not rule out, may show that it has none. */
const isMissingName = ({ request }: Answered, { pointer, value }: AnswerViolation): boolean =>
  pointer === "/data/label" && (value === undefined || value === null) && typeof labelIn(request.body) !== "string";

function labelIn(body: string | null): unknown {
  try {
    return objectOf(JSON.parse(body ?? "null"))?.label;
  } catch {
    return undefined;
  }
}
