import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { notArrived } from "../../steps/deliver-one.ts";
import { isSameUrl } from "../../steps/endpoint.ts";
import { type AttemptRecord, type Feed, readFeed } from "../../steps/feed.ts";
import { earliest } from "../../steps/first-attempt.ts";
import { growingSteps } from "../../steps/growing-steps.ts";
import { judgeOutcome, judgeRecords, telling } from "../../steps/judge-outcome.ts";
import { makeEvent } from "../../steps/make-event.ts";
import { callReplay } from "../../steps/replay.ts";
import { eventually, isSameId } from "../../steps/settle.ts";
import { byReceiver, bySandbox, forEachVantage, type Met, type WatchedEndpoint } from "../../steps/vantage.ts";

/** Answers to attempts that are replayed. */
const replayed: readonly Met[] = [200, 502, null];

/** What comes of attempts, by what they met. */
export const recordedOutcomes = forEachVantage([byReceiver, bySandbox], ({ watch, name }) =>
  check({
    id: "events.recorded-outcomes",
    title:
      "An attempt that was answered with 200 is a success, and one with a 5xx, or none, is not; at each endpoint the first has the number 1",
    rules: [
      ...(["EVT-11", "EVT-12", "EVT-17", "WHL-06", "WHL-09"] as const),
      ...(name === "receiver" ? (["WHL-08", "WHL-15"] as const) : []),
    ],
    kind: "scenario",
    needs: [],
    effects: ["creates"],
    draws: { deliveryReplays: replayed.length },
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      const endpoints: (readonly [Met, WatchedEndpoint])[] = [];
      for (const met of telling) {
        const watched = await watch(t, main);
        await watched.meet(met);
        endpoints.push([met, watched]);
      }
      // What a server sends new endpoints by itself may have met something else.
      const before = new Set((await readFeed(t, main)).records.map(({ event_id }) => event_id));
      const ids: (string | null)[] = [];
      // An event reaches all of them.
      for (const [, { endpoint }] of tenant.can(emittedEvent) ? endpoints.slice(0, 1) : endpoints)
        ids.push((await makeEvent(t, endpoint)).id);
      const shots = endpoints.map(([met, watched], index) => {
        const id = ids[tenant.can(emittedEvent) ? 0 : index] ?? null;
        // Without an id, what was sent before and is shown only now may be taken for it.
        const isIt = ({ endpoint_id, event_id }: AttemptRecord): boolean =>
          isSameId(endpoint_id, watched.endpoint.id) && (id === null ? !before.has(event_id) : isSameId(event_id, id));
        return { met, watched, isIt };
      });
      let feed: Feed = { records: [], pages: [] };
      await eventually(t, tenant, async () => {
        feed = await readFeed(t, main);
        return shots.every(({ isIt }) => feed.records.some(isIt)) ? feed : null;
      });
      for (const { met, watched, isIt } of shots) await judge(t, met, watched, feed.records.filter(isIt), feed.pages);
      if (!tenant.manualClock) return;
      // Retries and replays are recorded alike: one that is taken after it failed, and those that fail again.
      await shots.find(({ met }) => met === 500)?.watched.meet(200);
      for (const { isIt } of shots.filter(({ met }) => replayed.includes(met)))
        await callReplay(t, main, String(earliest(feed.records.filter(isIt))?.id));
      for (const seconds of growingSteps.slice(0, 2)) await tenant.advance(seconds, "retries");
      const later = await readFeed(t, main);
      judgeRecords(t, later.records, later.pages);
    },
  }),
);

async function judge(
  t: CheckContext,
  met: Met,
  { endpoint, inbox }: WatchedEndpoint,
  records: readonly AttemptRecord[],
  pages: readonly Exchange[],
): Promise<void> {
  const first = earliest(records);
  const [delivery] = inbox?.deliveries() ?? [];
  if (delivery !== undefined)
    t.verify("WHL-08", first !== null, {
      expected: `a record of the attempt at endpoint ${endpoint.id}, one of several that the event reached`,
      actual: first === null ? "none" : "one",
      exchanges: pages,
      deliveries: [delivery],
    });
  if (first === null) throw new Blocked("no attempt of an event was in the feed in time", "see WHL-08 first", "server");
  if (delivery !== undefined)
    t.verify("WHL-15", isSameUrl(first.url, delivery.url), {
      expected: `url ${delivery.url}`,
      actual: JSON.stringify(first.url) ?? "none",
      exchanges: pages,
      deliveries: [delivery],
    });
  t.equal("WHL-06", `attempt of the first at endpoint ${endpoint.id}`, first.attempt, 1, ...pages);
  // What was recorded of an attempt that never got here tells of another answer than the one that was to be had.
  if (met !== null && inbox?.deliveries().length === 0) throw notArrived(await inbox.until(1));
  // One that was lost on its way has no status, and the next one arrived.
  if (
    met !== null &&
    inbox !== null &&
    !(Number(first.response_status) > 0) &&
    records.length > inbox.deliveries().length
  )
    throw new Blocked("an attempt on record never reached the kit's receiver", "see what lies between", "environment");
  if (met !== null) t.equal("WHL-09", "response_status", first.response_status, met, ...pages);
  judgeOutcome(t, first, met, pages);
}
