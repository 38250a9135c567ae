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
  record: AttemptRecord,
  met: Met,
  exchanges: readonly Exchange[],
): void {
  const expected = "outcome retry or dead of an attempt that was not answered";
  if (met === null) t.verify("EVT-17", isFailure(record), { expected, actual: outcomeText(record), exchanges });
  else judgeOutcomeOf(t, record, met, exchanges);
}

/** Judges the outcome of an attempt with a response of this status. */
export function judgeOutcomeOf(
  t: CheckContext<"EVT-11" | "EVT-12">,
  record: AttemptRecord,
  status: number,
  exchanges: readonly Exchange[],
): void {
  const what = `an attempt that was answered ${status}`;
  const warnOnly = usuallyTaken.includes(status) || usuallyFailures.includes(status);
  const evidence = { actual: outcomeText(record), exchanges, warnOnly };
  if (taken.includes(status) || usuallyTaken.includes(status))
    t.verify("EVT-11", record.outcome === "success", { ...evidence, expected: `outcome success of ${what}` });
  else t.verify("EVT-12", isFailure(record), { ...evidence, expected: `outcome retry or dead of ${what}` });
}

const isFailure = ({ outcome }: AttemptRecord): boolean => outcome === "retry" || outcome === "dead";

const outcomeText = ({ outcome }: AttemptRecord): string => JSON.stringify(outcome) ?? "none";

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
