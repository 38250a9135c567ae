import type { RuleId } from "../../generated/rules.ts";
import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";

/** A time as it was written, and the instants between which it has to lie: milliseconds since 1970. */
export interface Instant {
  /** Of the member that holds it. */
  readonly name: string;
  readonly value: unknown;
  readonly from: number;
  readonly until: number;
  /** Open question about how exactly the time is kept; null where there is none. */
  readonly question: string | null;
  readonly exchanges: readonly Exchange[];
}

/** Milliseconds by which a time is off that is kept by the day. */
const day = 86_400_000;

/**
 * Decides that a time is a timestamp, and no other than that of what it is said to mark. Clocks may differ, and nothing
 * says how exactly a time is kept: less than a day off only warns.
 */
export function judgeInstant(t: CheckContext, rule: RuleId, instant: Instant): void {
  const { name, value, from, until, exchanges } = instant;
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  const off = Math.max(from - at, at - until, 0);
  // A second more: timestamps may be whole seconds.
  t.verify(rule, off <= t.timing.clockSkew + 1000, {
    expected: `${name}, a timestamp ${spanText(from, until)}`,
    actual: JSON.stringify(value) ?? "none",
    exchanges,
    warnOnly: off <= day,
    question: off <= day ? instant.question : null,
  });
}

function spanText(from: number, until: number): string {
  const texts = [
    ...(Number.isFinite(from) ? [`not before ${new Date(from).toISOString()}`] : []),
    ...(Number.isFinite(until) ? [`not after ${new Date(until).toISOString()}`] : []),
  ];
  return texts.length === 0 ? "of any time" : texts.join(" and ");
}

/** When an answer says that something was created; the beginning of all time where it does not say. */
export function createdAtIn(data: Readonly<Record<string, unknown>> | null): number {
  const at = Date.parse(String(data?.created_at));
  return Number.isNaN(at) ? Number.NEGATIVE_INFINITY : at;
}
