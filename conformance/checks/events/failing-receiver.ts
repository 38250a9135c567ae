import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { firstAttempt } from "../../steps/first-attempt.ts";
import { growingSteps } from "../../steps/growing-steps.ts";
import { laterAttempts } from "../../steps/later-attempts.ts";
import { attemptsAt, isSameId, settle } from "../../steps/settle.ts";
import {
  byReceiver,
  bySandbox,
  forEachVantage,
  seenEvents,
  shownBy,
  type WatchedEndpoint,
} from "../../steps/vantage.ts";

const isDead = ({ outcome }: AttemptRecord): boolean => outcome === "dead";

/** A delivery that nobody ever takes. */
export const failingReceiver = forEachVantage([byReceiver, bySandbox], ({ watch }) =>
  check({
    id: "events.failing-receiver",
    title: "Attempts at a receiver that keeps failing end with one that is dead",
    rules: ["EVT-13", "EVT-14", "EVT-15", "WHL-07"],
    kind: "scenario",
    needs: ["manual-clock"],
    effects: ["creates"],
    draws: {},
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const alone = tenant.fresh;
      const main = await tenant.main();
      const watched = await watch(t, main);
      await watched.meet(500);
      const { endpoint } = watched;
      // Another endpoint, which takes the same event.
      const beside = tenant.can(emittedEvent) ? await watch(t, main) : null;
      await beside?.meet(200);
      const known = (await seenEvents(watched)).map(({ eventId }) => eventId);
      const begun = await firstAttempt(t, endpoint);
      const event = begun?.eventId;
      if (event === undefined) throw new Blocked("no attempt was in the feed in time", "see WHL-08 first", "server");
      const takenBeside = await countOf(beside, event);
      const mine = (records: readonly AttemptRecord[]) => records.filter(({ event_id }) => isSameId(event_id, event));
      const ended = await laterAttempts(t, endpoint, (records) => mine(records).some(isDead));
      if (!ended.enough) {
        const made = mine(ended.records).map(({ attempt, outcome }) => `${attempt} ${outcome}`);
        const message = `after three weeks and ${made.length} attempts a delivery was not dead`;
        // When it is given up is open; that it never is, nobody expects.
        t.verify("EVT-15", false, {
          expected: "a record with the outcome dead",
          actual: message,
          exchanges: ended.pages,
        });
        throw new Blocked(message, "have the test environment give up sooner", "server");
      }

      const ids = (await seenEvents(watched)).map(({ eventId }) => eventId);
      const strange = ids.filter((id) => !isSameId(id, event) && ![...known, ...(begun?.earlier ?? [])].includes(id));
      t.verify("EVT-13", strange.length === 0, {
        expected: `attempts of the one event ${event}`,
        actual: strange.length === 0 ? "those" : `one of ${strange.join(" and ")} too`,
        ...shownBy((await watched.seen()).shown),
        // In an organization that others use, something may have happened of which the endpoint heard.
        warnOnly: !alone,
      });
      const before = await countOf(watched, event);
      const seen = new Map(ended.records.toReversed().map((record) => [record.id, record]));
      for (const seconds of growingSteps) await tenant.advance(seconds, "attempts that should not come");
      const { records, pages } = await attemptsAt(t, endpoint, 0);
      // A server may keep records for less time than that.
      for (const record of records.toReversed()) seen.set(record.id, record);
      const all = mine([...seen.values()]);
      const numberOf = ({ attempt }: AttemptRecord): number => Number(attempt);
      const dead = all.filter(isDead);
      const last = Math.max(...all.map(numberOf));
      const text = all.map(({ attempt, outcome }) => `${attempt} ${outcome}`);
      const numbers = all.map(numberOf);
      const twice = numbers.find((number, index) => numbers.indexOf(number) !== index);
      t.verify("WHL-07", twice === undefined, {
        expected: "a number of its own for each attempt",
        actual: twice === undefined ? "that" : `${twice} twice: ${text.join(", ")}`,
        exchanges: pages,
      });
      t.verify("EVT-15", dead.length === 1, {
        expected: "one record with the outcome dead",
        actual: text.join(", "),
        ...{ exchanges: pages },
      });
      const further = Math.max((await countOf(watched, event)) - before, all.length - mine(ended.records).length);
      const { shown } = await watched.seen();
      t.verify("EVT-14", further === 0 && dead.every((record) => numberOf(record) === last), {
        expected: "no attempt after the one that is dead",
        actual: further > 0 ? `${further} in the three weeks after` : text.join(", "),
        ...shownBy([...pages, ...shown.slice(-3)]),
      });
      if (beside === null || takenBeside === 0) return;
      const again = (await countOf(beside, event)) - takenBeside;
      t.verify("EVT-14", again <= 0, {
        expected: "no further attempt at another endpoint, which took the event at once",
        actual: again > 0 ? `${again} while the first endpoint failed` : "none",
        ...shownBy((await beside.seen()).shown.slice(-3)),
      });
    },
  }),
);

/** How many attempts of an event were made there so far, none where there is no such endpoint. */
async function countOf(watched: WatchedEndpoint | null, event: string): Promise<number> {
  if (watched === null) return 0;
  await settle(watched.endpoint.owner.tenant);
  return (await watched.seen()).attempts.filter(({ eventId }) => isSameId(eventId, event)).length;
}
