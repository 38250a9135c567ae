import { type Exchange, statusOf, summaryOf } from "../exchange/exchange.ts";
import type { ToldFinding } from "../outcome/verdict.ts";
import { type Cause, isReading } from "./cause-of.ts";
import { counted } from "./counted.ts";
import type { FailureGroup } from "./failure-groups.ts";
import { seenTimesShort } from "./tally-text.ts";
import { verdictNames } from "./verdict-names.ts";

/** "2 probable causes, 9 rules affected". */
export function causesHead(causes: readonly Cause[]): string {
  const rules = new Set(causes.flatMap((cause) => cause.rules));
  return `${counted(causes.length, "probable cause")}, ${counted(rules.size, "rule")} affected`;
}

/** Whether a cause only warns where others are violations, or hangs on a reading where others do not. */
export const isBesides = (causes: readonly Cause[]): ((cause: Cause) => boolean) => {
  const hasViolation = causes.some(({ verdict }) => verdict === "fail");
  const isCertain = causes.some((cause) => cause.verdict !== "kit_error" && !isReading(cause));
  return (cause) => !cause.isLeak && cause.verdict === "warn" && (hasViolation || (isCertain && isReading(cause)));
};

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
  `${group.rules.map(({ id }) => id).join(", ")} in ${group.check}: ${seenText(group, wordLimit.alone)}`;

/** Operations that a line names. */
const namedOperations = 3;

/** Characters of what was admitted and of what came that a line shows: in a list, and where nothing else tells of it. */
const wordLimit = { listed: 100, alone: 300 };

/** The observation of a group in one line, with its operation. */
export function seenText(group: FailureGroup, limit: number = wordLimit.listed): string {
  const { finding, operations } = group;
  const { expected, actual, message } = finding;
  const seen =
    expected === null
      ? message
      : (doneText(finding) ??
        differenceText(finding) ??
        `expected ${clipped(expected, limit)}, got ${clipped(actual ?? "nothing", limit)}`);
  // What a delivery shows is no fault of the call that stands beside it.
  const isDelivered = finding.at.some((place) => place.in?.kind === "delivery");
  const operation = isDelivered ? "a delivery" : (finding.exchanges.at(-1)?.operation ?? null);
  const at =
    operations.length > namedOperations
      ? counted(operations.length, "operation")
      : operations.length > 1
        ? operations.join(", ")
        : operation;
  return `${clipped(seen, 2 * limit)}${at === null ? "" : ` at ${at}`}${seenTimesShort(group)}`;
}

/** What a call did although it was refused; null for anything else. */
export function doneText({ isEffect = false, actual, exchanges }: ToldFinding): string | null {
  const exchange = exchanges.at(-1);
  return isEffect && exchange !== undefined && (statusOf(exchange) ?? 0) >= 400
    ? `done although it was refused with ${summaryOf(withJson(exchange))}: it changed ${clipped(actual ?? "something")}`
    : null;
}

/** The same as it came: reports keep an answer's text alone. */
function withJson(exchange: Exchange): Exchange {
  const { outcome } = exchange;
  if (outcome.kind === "lost") return exchange;
  try {
    return { ...exchange, outcome: { ...outcome, json: JSON.parse(outcome.text) } };
  } catch {
    return exchange;
  }
}

/** What is another in values that are too long to be read beside each other; null for any others. */
function differenceText({ expected, actual, at }: ToldFinding): string | null {
  const [place, ...others] = at;
  if (place?.part.kind !== "member" || others.length > 0 || (expected ?? "").length <= wordLimit.listed) return null;
  const { admitted, seen, part } = place;
  if (admitted === null || admitted === expected || (actual ?? "").length <= wordLimit.listed) return null;
  const [what = ""] = (expected ?? "").split(" = ");
  return `expected ${clipped(what)} with ${clipped(admitted)} at ${part.pointer}, got ${clipped(seen ?? "nothing")}`;
}

const clipped = (text: string, limit: number = wordLimit.listed): string =>
  text.length > limit ? `${text.slice(0, limit)}…` : text;
