import type { RuleId } from "../../../generated/rules.ts";
import type { MadeAttempt } from "../../delivery/make-attempt.ts";
import type { DeliveryAttempt } from "../../domain/deliveries/delivery.ts";
import { afterAttempt, usualSchedule } from "../../domain/deliveries/retry-schedule.ts";
import type { Mutant } from "../edit.ts";
import { onRecords } from "../feed-records.ts";
import { settling } from "../port-changes.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

/** What follows from an attempt; what is left out stays. */
interface Verdict {
  readonly outcome?: DeliveryAttempt["outcome"];
  readonly nextDueAt?: MadeAttempt["nextDueAt"];
}

/** A mutant that draws other conclusions from attempts of which the condition holds. */
const judging = (
  breaks: RuleId,
  name: string,
  does: string,
  condition: (attempt: DeliveryAttempt) => boolean,
  judge: (attempt: DeliveryAttempt) => Verdict,
): Mutant =>
  mutantOf(breaks, name, does, [
    settling(({ attempt, nextDueAt }) => {
      if (!condition(attempt)) return { attempt, nextDueAt };
      const verdict = judge(attempt);
      return {
        attempt: { ...attempt, outcome: verdict.outcome ?? attempt.outcome },
        nextDueAt: verdict.nextDueAt === undefined ? nextDueAt : verdict.nextDueAt,
      };
    }),
  ]);

const taken = (): Verdict => ({ outcome: "success", nextDueAt: null });
const givenUp = (): Verdict => ({ outcome: "dead", nextDueAt: null });
const failed = ({ attempt, occurredAt }: DeliveryAttempt): Verdict => {
  const { outcome, dueIn: wait } = afterAttempt(attempt, { kind: "unanswered", error: "", milliseconds: 0 });
  return { outcome, nextDueAt: wait === null ? null : occurredAt + wait };
};

const hour = 3_600_000;
const dueIn =
  (milliseconds: number) =>
  ({ occurredAt }: DeliveryAttempt): Verdict => ({ nextDueAt: occurredAt + milliseconds });

const isSuccess = ({ outcome }: DeliveryAttempt): boolean => outcome === "success";
const isDead = ({ outcome }: DeliveryAttempt): boolean => outcome === "dead";
const isRetry = ({ outcome }: DeliveryAttempt): boolean => outcome === "retry";
const statusIs =
  (condition: (status: number) => boolean) =>
  ({ responseStatus }: DeliveryAttempt): boolean =>
    responseStatus !== null && condition(responseStatus);

/** Servers that take an answer for another, or stop or go on where they should not. */
export const retryMutants: readonly Mutant[] = [
  judging(
    "EVT-11",
    "queued",
    "takes 200 for a promise alone",
    statusIs((status) => status === 200),
    failed,
  ),
  judging(
    "EVT-11",
    "dead",
    "gives up what was answered with 200",
    statusIs((status) => status === 200),
    givenUp,
  ),
  judging(
    "EVT-11",
    "empty",
    "wants a text with 200",
    ({ responseStatus, responseBodyExcerpt }) => responseStatus === 200 && responseBodyExcerpt === "",
    failed,
  ),
  judging(
    "EVT-11",
    "few",
    "knows three statuses of success",
    statusIs((status) => status > 202 && status < 300),
    failed,
  ),
  judging("EVT-17", "silence", "takes silence for a success", ({ responseStatus }) => responseStatus === null, taken),
  judging(
    "EVT-12",
    "gone",
    "takes it for a success that a receiver is gone",
    statusIs((status) => status === 410),
    taken,
  ),
  judging(
    "EVT-12",
    "all",
    "takes every answer for a success",
    statusIs(() => true),
    taken,
  ),
  judging(
    "EVT-12",
    "gateway",
    "takes what a gateway answers for a success",
    statusIs((status) => status === 504),
    taken,
  ),
  judging(
    "EVT-12",
    "known",
    "takes a status that it does not know for a success",
    statusIs((status) => status > 511),
    taken,
  ),
  judging(
    "EVT-14",
    "success",
    "sends an event again an hour after it was taken",
    (attempt) => isSuccess(attempt) && attempt.attempt < 4,
    dueIn(hour),
  ),
  judging(
    "EVT-14",
    "late-success",
    "sends an event again a week after a retry was taken",
    (attempt) => isSuccess(attempt) && (attempt.attempt === 2 || attempt.attempt === 3),
    dueIn(168 * hour),
  ),
  judging(
    "EVT-14",
    "dead",
    "tries once more after it gave up",
    (attempt) => isDead(attempt) && attempt.attempt < 9,
    dueIn(24 * hour),
  ),
  wireMutant(
    "EVT-15",
    "twice",
    "records twice that it gave up",
    onRecords((record) =>
      record.outcome === "dead"
        ? [record, { ...record, id: record.id.replace(/.$/, (end) => (end === "0" ? "1" : "0")) }]
        : record,
    ),
  ),
  judging("EVT-15", "never", "never gives up", isDead, ({ occurredAt }) => ({
    outcome: "retry",
    nextDueAt: occurredAt + 10 * hour,
  })),
  judging("EVT-15", "silently", "gives up without a word", isDead, () => ({ outcome: "retry" })),
  judging(
    "EVT-15",
    "early",
    "calls the attempt before the last one dead too",
    (attempt) => isRetry(attempt) && attempt.attempt === usualSchedule.waits.length - 1,
    () => ({ outcome: "dead" }),
  ),
  judging("EVT-15", "every", "calls every failed attempt dead", isRetry, () => ({ outcome: "dead" })),
];
