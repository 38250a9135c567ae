import type { Cause } from "./causes.ts";
import { counted } from "./counted.ts";
import type { FailureGroup } from "./failure-groups.ts";
import { verdictNames } from "./verdict-names.ts";

/** "1 probable cause, 7 rules affected". */
export function causesHead(causes: readonly Cause[]): string {
  const rules = new Set(causes.flatMap((cause) => cause.rules));
  return `${counted(causes.length, "probable cause")}, ${counted(rules.size, "rule")} affected`;
}

/** What kind of thing was found, such as "Violation". */
export const kindText = ({ verdict, isLeak }: Cause): string =>
  isLeak ? `Possible leak between organizations, ${verdictNames[verdict]}` : kinds[verdict];

const kinds: Readonly<Record<Cause["verdict"], string>> = {
  fail: "Violation",
  warn: "Warning",
  kit_error: "Kit error, a fault of the kit, which says nothing about the target",
};

/** A cause in one line: the rule that says it best, what shows it, and how far it reaches. */
export function lineOf(cause: Cause): string {
  const { primary, rules, isLeak } = cause;
  const more = rules.length > 1 ? ` (${counted(rules.length, "rule")})` : "";
  return `${isLeak ? "possible leak: " : ""}${primary.rules[0]?.id ?? ""}${more} ${seenText(primary)}`;
}

/** What seems to follow from a cause, counted; rules that it shows itself are not among them. */
export function followsText(cause: Cause): string {
  const rules = followingRules(cause).length;
  return rules === 0 ? "also seen so" : `probably of the same cause: ${counted(rules, "more rule")}`;
}

/** Rules that are broken by the consequences alone. */
export const followingRules = ({ primary, rules }: Cause): readonly string[] =>
  rules.filter((rule) => !primary.rules.includes(rule)).map(({ id }) => id);

/** A group in one line. */
export const sightText = (group: FailureGroup): string =>
  `${group.rules.map(({ id }) => id).join(", ")} in ${group.check}: ${seenText(group)}`;

/** Characters of what was admitted and of what came that a line shows. */
const wordLimit = 100;

function seenText({ finding, times, operations }: FailureGroup): string {
  const { expected, actual, message } = finding;
  const seen = expected === null ? message : `expected ${clipped(expected)}, got ${clipped(actual ?? "nothing")}`;
  const operation = finding.exchanges.at(-1)?.operation ?? null;
  const at = operations.length > 1 ? counted(operations.length, "operation") : operation;
  return `${clipped(seen, 2 * wordLimit)}${at === null ? "" : ` at ${at}`}${times > 1 ? ` ×${times}` : ""}`;
}

const clipped = (text: string, limit = wordLimit): string => (text.length > limit ? `${text.slice(0, limit)}…` : text);
