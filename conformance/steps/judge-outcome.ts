import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { AttemptRecord } from "./feed.ts";
import { isSameId } from "./settle.ts";
import type { Met } from "./vantage.ts";

/** Answers of which the outcome is plain. */
const taken: readonly Met[] = [200];
const failures: readonly Met[] = [500, 501, 502, 503, 504, 599];

/** Answers of which the document does not say what comes of them, and everybody knows. A redirect may be either. */
const usuallyTaken: readonly Met[] = [201, 202, 204, 226, 299];
const usuallyFailures: readonly Met[] = [400, 401, 403, 404, 408, 409, 410, 422, 429, 451, 499];

/** What attempts meet of which it is known what comes of them. */
export const telling: readonly Met[] = [...taken, ...failures, null, ...usuallyTaken, ...usuallyFailures];

/** Decides whether the outcome on record is that of what the attempt met. */
export function judgeOutcome(
  t: CheckContext<"EVT-11" | "EVT-12" | "EVT-17">,
  { outcome }: AttemptRecord,
  met: Met,
  exchanges: readonly Exchange[],
): void {
  const what = met === null ? "was not answered" : `was answered ${met}`;
  const warnOnly = usuallyTaken.includes(met) || usuallyFailures.includes(met);
  const evidence = { actual: JSON.stringify(outcome) ?? "none", exchanges, warnOnly };
  if (taken.includes(met) || usuallyTaken.includes(met)) {
    const expected = `outcome success of an attempt that ${what}`;
    t.verify("EVT-11", outcome === "success", { ...evidence, expected });
  } else {
    const expected = `outcome retry or dead of an attempt that ${what}`;
    const rule = met === null ? "EVT-17" : "EVT-12";
    t.verify(rule, outcome === "retry" || outcome === "dead", { ...evidence, expected });
  }
}

/** Decides the same of records by what they themselves say was met: of each that says it wholly. */
export function judgeRecords(
  t: CheckContext<"EVT-11" | "EVT-12" | "EVT-17">,
  records: readonly AttemptRecord[],
  exchanges: readonly Exchange[],
): void {
  for (const record of records) {
    const { response_status: status, error } = record;
    const met = Number(status ?? 0);
    if (met === 0 && typeof error === "string") judgeOutcome(t, record, null, exchanges);
    // Whoever answered may have done so in part.
    const isPlain = taken.includes(met) || (met >= 500 && met <= 599);
    // Those of an event before its last attempt may be told with the outcome of that.
    const followed = records.some((other) => isLaterSuccess(other, record));
    if (isPlain && !(followed && record.outcome === "success") && (error ?? null) === null)
      judgeOutcome(t, record, met, exchanges);
  }
}

const isLaterSuccess = (one: AttemptRecord, other: AttemptRecord): boolean =>
  isSameId(one.event_id, other.event_id) &&
  isSameId(one.endpoint_id, other.endpoint_id) &&
  Number(one.attempt) > Number(other.attempt) &&
  taken.includes(Number(one.response_status));
