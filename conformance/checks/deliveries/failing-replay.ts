import { check } from "../../context/check.ts";
import type { Delivery } from "../../exchange/delivery.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { eventIdOf } from "../../steps/deliver-one.ts";
import { type AttemptRecord, eventIdsOf } from "../../steps/feed.ts";
import { type FirstAttempt, firstAttempt } from "../../steps/first-attempt.ts";
import { growingSteps } from "../../steps/growing-steps.ts";
import { replay } from "../../steps/replay.ts";
import { attemptsAt, isSameId } from "../../steps/settle.ts";
import { isDeadAtFirst, singleAttempt } from "../../steps/single-attempt.ts";
import { byReceiver, bySandbox, forEachVantage } from "../../steps/vantage.ts";

/** A replay that fails at first, beside a delivery that does so too. */
export const failingReplay = forEachVantage([byReceiver, bySandbox], ({ watch }) =>
  check({
    id: "deliveries.failing-replay",
    title: "A replay that fails is tried again under its own event id, and counted",
    rules: ["EVT-13", "WHL-06", "WHL-07", "WHP-34"],
    kind: "scenario",
    needs: ["manual-clock"],
    effects: ["creates"],
    draws: { deliveryReplays: 1 },
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const alone = tenant.fresh;
      const main = await tenant.main();
      const { endpoint, meet, inbox } = await watch(t, main);
      const deliveries = (): readonly Delivery[] => inbox?.deliveries() ?? [];
      const begun = (attempt: FirstAttempt | null): FirstAttempt => {
        if (typeof attempt?.record.id === "string") return attempt;
        throw new Blocked("an attempt was not in the feed in time", "see WHL-08 first", "server");
      };
      await meet(200);
      const original = begun(await firstAttempt(t, endpoint));
      if (original.record.outcome !== "success")
        throw new Blocked("an attempt that was answered with 200 is no success", "see EVT-11 first", "server");
      await meet(500);
      // The sound twin: a failing delivery that is tried again.
      const beside = begun(await firstAttempt(t, endpoint));
      const { eventId, exchange } = await replay(t, main, String(original.record.id));
      const of = (id: string, records: readonly AttemptRecord[]): readonly AttemptRecord[] =>
        records.filter(({ event_id }) => isSameId(event_id, id));
      const first = await attemptsAt(t, endpoint, (all) => of(eventId, all).length > 0);
      if (!first.enough)
        throw new Blocked("the attempt of a replay was not in the feed in time", "see WHP-18 first", "server");
      const known = [...eventIdsOf(first.records), ...deliveries().map(sentId)];
      const sentAsOriginal = (): number =>
        deliveries().filter((one) => isSameId(eventIdOf(one), original.eventId)).length;
      const sentBefore = sentAsOriginal();
      const originals = of(original.eventId, first.records).length;

      let { records, pages } = first;
      // What was shown once counts, though records may be gone by the time of a later attempt.
      const look = async (enough: number | ((all: readonly AttemptRecord[]) => boolean)): Promise<void> => {
        const feed = await attemptsAt(t, endpoint, enough);
        const shown = new Set(feed.records.map(({ id }) => id));
        records = [...feed.records, ...records.filter(({ id }) => !shown.has(id))];
        pages = feed.pages;
      };
      const isTriedAgain = (id: string): boolean => of(id, records).length > 1;
      const areTriedAgain = (all: readonly AttemptRecord[]): boolean =>
        [beside.eventId, eventId].every((id) => of(id, all).length > 1);
      for (const seconds of growingSteps) {
        if (areTriedAgain(records)) break;
        await tenant.advance(seconds, "another attempt of a replay");
        await look(0);
      }
      // A feed may show an attempt some time after it was made.
      if (!areTriedAgain(records)) await look(areTriedAgain);
      if (!isTriedAgain(beside.eventId) && isDeadAtFirst(beside.record)) throw singleAttempt();
      if (!isTriedAgain(beside.eventId))
        throw new Blocked("a failed delivery was not tried again within three weeks", "see EVT-15 first", "server");
      t.verify("WHP-34", isTriedAgain(eventId), {
        expected: `another attempt of the replay ${eventId}, as of the failing delivery beside it`,
        actual: isTriedAgain(eventId) ? "that" : "none within three weeks",
        isSilence: true,
        exchanges: [exchange, ...pages.slice(0, 1)],
      });
      const strange = [...eventIdsOf(records), ...deliveries().map(sentId)].filter((id) => !known.includes(id));
      const asOriginal = Math.max(of(original.eventId, records).length - originals, sentAsOriginal() - sentBefore);
      t.verify("EVT-13", strange.length === 0 && asOriginal <= 0, {
        expected: `further attempts under the ids that the first ones had, that of the replay being ${eventId}`,
        actual: asOriginal > 0 ? "one under the id of the event that was replayed" : strange.join(" and ") || "that",
        exchanges: [exchange, ...pages.slice(0, 1)],
        deliveries: deliveries().slice(-3),
        // In an organization that others use, something may have happened of which the endpoint heard.
        warnOnly: !alone && asOriginal <= 0,
      });
      const numbers = of(eventId, records)
        .map(({ attempt }) => Number(attempt))
        .sort((a, b) => a - b);
      const [lowest = 0] = numbers;
      // The event is a new one, but the document doesn't say that it isn't counted on from the one that it repeats.
      t.verify("WHL-06", [1, Number(original.record.attempt) + 1].includes(lowest), {
        expected: `attempt of the first of a replay: 1, or one more than that of the attempt that was replayed`,
        actual: String(lowest),
        exchanges: [exchange, ...pages.slice(0, 1)],
      });
      if (numbers.length < 2) throw new Blocked("the replay was not tried again", "see WHP-34 first", "server");
      const counted = numbers.map((_, index) => lowest + index);
      t.equal("WHL-07", "attempt of the records of a replay", numbers, counted, exchange, ...pages.slice(0, 1));
    },
  }),
);

const sentId = (delivery: Delivery): string => eventIdOf(delivery).toLowerCase();
