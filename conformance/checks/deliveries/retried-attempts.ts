import { check } from "../../context/check.ts";
import type { CheckContext, Shown } from "../../context/context.ts";
import { respond, statusOfAnswer } from "../../exchange/answer.ts";
import type { Delivery } from "../../exchange/delivery.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { attemptOf } from "../../steps/attempt.ts";
import { eventIdOf, notArrived } from "../../steps/deliver-one.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { firstAttempt } from "../../steps/first-attempt.ts";
import { growingSteps } from "../../steps/growing-steps.ts";
import { attemptsAt, isSameId } from "../../steps/settle.ts";
import { isDeadAtFirst, singleAttempt } from "../../steps/single-attempt.ts";
import { byReceiver, bySandbox, forEachVantage } from "../../steps/vantage.ts";

/** What attempts meet, each something else, so that every record tells which attempt it is of. */
const statuses = [500, 502, 503, 504, 505, 507, 508, 511] as const;
const last = 511;

/** Seconds in which no record is gone: the document does not say how long records are kept, but a feed of attempts shows them. */
const day = 86_400;

/** Attempts that are looked at; more would show nothing new. */
const enough = 4;

/** A delivery that fails again and again. */
export const retriedAttempts = forEachVantage([byReceiver, bySandbox], ({ watch, name }) =>
  check({
    id: "deliveries.retried-attempts",
    title: "Every attempt of a delivery has one record, with a number that counts from 1 without gaps",
    rules: ["WHL-06", "WHL-07", "WHL-08", ...(name === "receiver" ? (["WHL-51"] as const) : [])],
    kind: "scenario",
    needs: ["manual-clock"],
    effects: ["creates"],
    draws: {},
    async run(t) {
      const main = await (await t.tenant({ clock: "manual" })).main();
      const { tenant } = main;
      const { endpoint, inbox, meet } = await watch(t, main);
      await meet(...statuses);
      // The receiver has one status for each step of the clock: what a server sends twice meets the same.
      let step = 0;
      inbox?.answerBy(() => respond(statuses[step] ?? last));
      const begun = await firstAttempt(t, endpoint);
      if (begun === null) {
        const within = `within ${t.timing.pollTimeout / 1000} s of the event`;
        // Where nothing arrived, there may have been no attempt.
        if (inbox?.deliveries().length === 0)
          throw new Blocked(`nothing arrived ${within}`, "see WHE-08 first", "server");
        const evidence = { expected: "a record of the attempt", actual: `none ${within}`, exchanges: [] };
        t.verify("WHL-08", false, { ...evidence, deliveries: inbox?.deliveries() ?? [] });
        throw new Blocked("no attempt was in the feed in time", "see WHL-08 first", "server");
      }
      const { eventId } = begun;
      const deliveries = (): readonly Delivery[] =>
        (inbox?.deliveries() ?? []).filter((one) => isSameId(eventIdOf(one), eventId));
      const met = (): readonly (number | null)[] =>
        deliveries().flatMap(({ answer }) => (answer === null ? [] : [statusOfAnswer(answer)]));
      const mine = (all: readonly AttemptRecord[]) => all.filter(({ event_id }) => isSameId(event_id, eventId));
      const told = (all: readonly AttemptRecord[]): boolean =>
        met().every((status) => mine(all).some(({ response_status }) => response_status === status));
      // Records may be gone before the next attempt is made.
      const seen = new Map<unknown, AttemptRecord>([[begun.record.id, begun.record]]);
      let { pages } = begun;
      let elapsed = 0;
      // By what it met, the seconds of the clock between which an attempt arrived.
      const arrivedIn = new Map<number | null, readonly [from: number, until: number]>(
        met().map((one) => [one, [0, 0]]),
      );
      let lost: unknown = null;
      const look = async (): Promise<readonly AttemptRecord[]> => {
        const feed = await attemptsAt(t, endpoint, (all) => told([...seen.values(), ...all]));
        pages = feed.pages;
        const ids = new Set(feed.records.map(({ id: one }) => one));
        if (elapsed <= day) lost ??= [...seen.keys()].find((one) => !ids.has(one)) ?? null;
        for (const record of mine(feed.records).toReversed()) seen.set(record.id, record);
        return [...seen.values()];
      };
      let records = await look();
      for (const seconds of growingSteps) {
        if (records.length >= enough || records.some(({ outcome }) => outcome === "dead")) break;
        if (met().at(-1) === statuses[step]) step += 1;
        await tenant.advance(seconds, "a retry");
        elapsed += seconds;
        records = await look();
        for (const status of met()) if (!arrivedIn.has(status)) arrivedIn.set(status, [elapsed - seconds, elapsed]);
      }
      if (inbox?.deliveries().length === 0) throw notArrived(await inbox.until(1));
      const attempts = records.map(attemptOf).sort((a, b) => a.at - b.at || a.attempt - b.attempt);
      const shown = [...pages, ...deliveries()];
      const numbers = attempts.map(({ attempt }) => attempt);
      t.equal("WHL-06", "attempt of the first", numbers[0], 1, ...shown);
      t.verify("WHL-08", lost === null, {
        expected: "records of all attempts of the last day",
        actual: `record ${lost} is gone`,
        ...{ exchanges: pages, deliveries: deliveries() },
      });
      const recorded = attempts.map(({ status }) => status);
      // An attempt that was really sent may be lost on its way, and has no status then.
      const judged = inbox === null ? recorded : recorded.filter((status) => status !== null);
      judgeRecorded(t, judged, inbox === null ? recorded.map((_, index) => statuses[index] ?? last) : met(), shown);
      for (const record of records) {
        const span = arrivedIn.get(Number(record.response_status));
        if (span !== undefined) judgeTime(t, record, begun.record, span, pages);
      }
      if (numbers.length < 2 && isDeadAtFirst(begun.record)) throw singleAttempt();
      if (numbers.length < 2)
        throw new Blocked("a failed delivery was not tried again within three weeks", "see EVT-15 first", "server");
      const counted = numbers.map((_, index) => index + 1);
      t.equal("WHL-07", "attempt of the records, oldest first", numbers, counted, ...shown);
    },
  }),
);

/** Decides whether an attempt was made when the clock stood so many seconds behind the first. */
function judgeTime(
  t: CheckContext,
  record: AttemptRecord,
  first: AttemptRecord,
  [from, until]: readonly [from: number, until: number],
  exchanges: readonly Exchange[],
): void {
  const [begun, at] = [first, record].map(({ occurred_at }) => Date.parse(String(occurred_at)) / 1000);
  const passed = (at ?? Number.NaN) - (begun ?? Number.NaN);
  const slack = t.timing.clockSkew / 1000 + 1;
  t.verify("WHL-51", passed >= from - slack && passed <= until + slack, {
    expected: `occurred_at between ${from} and ${until} s after ${first.occurred_at}, when the first attempt was made`,
    actual: JSON.stringify(record.occurred_at) ?? "none",
    exchanges,
  });
}

/** Decides whether what was met is on record, status by status and in order; what was sent twice may be one attempt. */
function judgeRecorded(
  t: CheckContext,
  recorded: readonly (number | null)[],
  met: readonly (number | null)[],
  shown: readonly Shown[],
): void {
  const count = (all: readonly (number | null)[], status: number | null) => all.filter((one) => one === status).length;
  const tooMany = recorded.find((status) => count(recorded, status) > count(met, status));
  t.equal("WHL-08", "response_status of the records", [...new Set(recorded)], [...new Set(met)], ...shown);
  t.verify("WHL-08", tooMany === undefined, {
    expected: `no more records with the status ${tooMany} than attempts that were answered so`,
    actual: tooMany === undefined ? "that" : `${count(recorded, tooMany)} of ${count(met, tooMany)}`,
    exchanges: shown.filter((one) => "outcome" in one),
  });
}
