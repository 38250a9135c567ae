import type { CheckContext } from "../../context/context.ts";
import { rowNamed, rowText } from "../../exchange/admits.ts";
import { type Exchange, errorOf, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { dueText, isZone, localTime, quietEnd, quietText, type Window } from "../../steps/local-time.ts";

/** Rules on the refusal itself. */
export type RefusalRule = "MSG-24" | "MSG-25" | "MSG-26" | "MSG-27" | "MSG-28" | "MSG-55";

const members = ["recipient_timezone", "quiet_hours_start", "quiet_hours_end", "next_send_at"] as const;

/** A date and a time of day with an offset (RFC 3339, 5.6). */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/**
 * Decides whether a send was refused for the quiet hours of a recipient in this zone, and how it was. Gives when the
 * answer says to send next, as it says it and in milliseconds since 1970; null where it does not say.
 */
export function judgeRefusal(
  t: CheckContext<RefusalRule>,
  exchange: Exchange,
  { at, zone, window }: { readonly at: number; readonly zone: string; readonly window: Window },
): { readonly told: string; readonly at: number } | null {
  const isRefused = answeredBy(exchange, "QuietHours");
  t.verify("MSG-24", isRefused, {
    expected: `${rowText(rowNamed("QuietHours"))}, as ${quietText({ at, zone, window })}`,
    admits: ["QuietHours"],
    actual: summaryOf(exchange),
    exchanges: [exchange],
  });
  if (!isRefused) return null;
  const details = objectOf(errorOf(exchange)?.details) ?? {};
  const verify = (rule: RefusalRule, holds: boolean, expected: string, actual: unknown): boolean =>
    t.verify(rule, holds, { expected, actual: JSON.stringify(actual) ?? "none", exchanges: [exchange] });
  const missing = members.filter((name) => typeof details[name] !== "string");
  verify("MSG-25", missing.length === 0, `details with ${members.join(", ")}`, details);
  const { quiet_hours_start: start, quiet_hours_end: end } = details;
  verify("MSG-26", start === window.start && end === window.end, `${window.start} and ${window.end}`, [start, end]);
  const named = details.recipient_timezone;
  const isAlike = isZone(named) && localTime(at, named) === localTime(at, zone);
  verify("MSG-28", isAlike, `an IANA zone with the time of ${zone}`, named);
  const told = details.next_send_at;
  const next = typeof told === "string" && rfc3339.test(told) ? Date.parse(told) : Number.NaN;
  const isAhead = verify("MSG-27", next > at, `an RFC 3339 time after ${new Date(at).toISOString()}`, told);
  if (!isAhead || typeof told !== "string") return null;
  const due = quietEnd(at, zone, window);
  const isEnd = Math.abs(next - due) <= 60_000;
  verify("MSG-55", isEnd, dueText(due, zone), told);
  return { told, at: next };
}
