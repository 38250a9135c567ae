import { check } from "../../context/check.ts";
import type { CheckContext, Evidence } from "../../context/context.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { earliest } from "../../steps/first-attempt.ts";
import { growingSteps } from "../../steps/growing-steps.ts";
import { makeEvent } from "../../steps/make-event.ts";
import { replay } from "../../steps/replay.ts";
import { attemptsAt, eventually, isSameId, settle } from "../../steps/settle.ts";
import { isDeadAtFirst, singleAttempt } from "../../steps/single-attempt.ts";
import {
  byReceiver,
  bySandbox,
  forEachVantage,
  type SeenAttempts,
  shownBy,
  type WatchedEndpoint,
} from "../../steps/vantage.ts";

/** A delivery that is taken at the third attempt, and its replay. */
export const retries = forEachVantage([byReceiver, bySandbox], ({ watch }) =>
  check({
    id: "events.retries",
    title: "A retry keeps its event's id and a replay has another, and what was taken is not sent again",
    rules: ["EVT-13", "EVT-14", "EVT-16"],
    kind: "scenario",
    needs: [],
    effects: ["creates"],
    draws: { deliveryReplays: 1 },
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const alone = tenant.fresh;
      const watched = await watch(t, await tenant.main());
      await watched.meet(500, 500, 200);
      const before = eventIdsOf(await watched.seen());
      const { id: made } = await makeEvent(t, watched.endpoint);
      const isIt = (id: string): boolean => (made === null ? !before.includes(id) : id === made.toLowerCase());
      const original = eventIdsOf(await attempted(t, watched, before.length + 1, isIt)).find(isIt);
      if (original === undefined) throw new Blocked("no attempt came in time", "see WHE-08 first", "server");
      const second = await triedAgain(t, watched, original);
      // How often it is tried is open.
      const seen = tenant.manualClock ? await triedAgain(t, watched, original).catch(orBlocked(second)) : second;
      // An event whose first attempt was seen is no retry of another one.
      const begun = seen.attempts.flatMap(({ eventId, number }) => (number === 1 ? [eventId] : []));
      // Nor is one that the feed shows to have begun: where time runs, it may be what a server sends by itself.
      if (!tenant.manualClock) begun.push(...(await begunAt(t, watched)));
      const isRetry = (id: string): boolean => !before.includes(id) && !begun.includes(id);
      const ids = [...new Set(eventIdsOf(seen).filter((id) => id === original || isRetry(id)))];
      const evidence: Evidence = {
        expected: `attempts of the one event ${original}`,
        actual: ids.join(" and "),
        ...shownBy(seen.shown),
        // In an organization that others use, something may have happened of which the endpoint heard.
        warnOnly: !alone,
      };
      t.verify("EVT-13", ids.length === 1, evidence);
      if (ids.length > 1) t.verify("EVT-16", false, evidence);
      const taken = countOf(await watched.seen(), original);
      await judgeReplay(t, watched, original);
      const again = countOf(await watched.seen(), original) - taken;
      t.verify("EVT-14", again <= 0 || !(await isTaken(t, watched, original)), {
        expected: `no attempt of event ${original} beside that of its replay`,
        actual: again <= 0 ? "none" : `${again} more`,
        ...shownBy((await watched.seen()).shown),
      });
      if (!tenant.manualClock) throw new Blocked("time runs by itself", "give the kit a sandbox, or an advance hook");
      await judgeSilence(t, watched, [original, ...(await takenAtSecond(t, watched))]);
    },
  }),
);

const eventIdsOf = ({ attempts }: SeenAttempts): readonly string[] => attempts.map(({ eventId }) => eventId);

/** Events of whose first attempts at the endpoint the feed tells. */
async function begunAt(t: CheckContext, { endpoint }: WatchedEndpoint): Promise<readonly string[]> {
  const { records } = await attemptsAt(t, endpoint, 0);
  return records.flatMap(({ event_id, attempt }) => (attempt === 1 ? [String(event_id).toLowerCase()] : []));
}

/** How many attempts of an event were seen. */
const countOf = (seen: SeenAttempts, event: string): number => eventIdsOf(seen).filter((id) => id === event).length;

/** Gives something else where a step was blocked. */
const orBlocked =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof Blocked) return instead;
    throw error;
  };

/** What was seen once there were so many attempts, or as many as came in time. */
async function attempted(
  t: CheckContext,
  watched: WatchedEndpoint,
  count: number,
  isWanted: (id: string) => boolean = () => true,
): Promise<SeenAttempts> {
  const found = await eventually(t, watched.endpoint.owner.tenant, async () => {
    const seen = await watched.seen();
    return seen.attempts.length >= count && eventIdsOf(seen).some(isWanted) ? seen : null;
  });
  return found ?? watched.seen();
}

/** Lets time pass until there is a further attempt. Blocks when none comes: whether, and when, is open. */
async function triedAgain(t: CheckContext, watched: WatchedEndpoint, original: string): Promise<SeenAttempts> {
  const { tenant } = watched.endpoint.owner;
  // An attempt may be made twice at once, which makes it no retry.
  await settle(tenant);
  const before = (await watched.seen()).attempts.length;
  for (const seconds of tenant.manualClock ? growingSteps : []) {
    await tenant.advance(seconds, "the next attempt of a delivery");
    const seen = await watched.seen();
    if (seen.attempts.length > before) return seen;
  }
  const seen = await attempted(t, watched, before + 1);
  if (seen.attempts.length > before) return seen;
  // It may have been tried again at once.
  const { records } = await attemptsAt(t, watched.endpoint, 0);
  if (records.some(({ event_id, attempt }) => isSameId(event_id, original) && Number(attempt) > 1)) return seen;
  if (records.some((record) => isSameId(record.event_id, original) && isDeadAtFirst(record))) throw singleAttempt();
  throw new Blocked(
    "a failed delivery was not tried again in time",
    tenant.manualClock ? "see EVT-15 first" : "give the kit a clock to move: an advance hook, or a sandbox",
    tenant.manualClock ? "server" : "target file",
  );
}

/** Replays a delivery and decides whether the attempt of that is of another event. */
async function judgeReplay(t: CheckContext, watched: WatchedEndpoint, original: string): Promise<void> {
  const { endpoint } = watched;
  const isIt = ({ event_id }: AttemptRecord): boolean => isSameId(event_id, original);
  const { records } = await attemptsAt(t, endpoint, (all) => all.some(isIt));
  const { id } = earliest(records.filter(isIt)) ?? {};
  if (typeof id !== "string") throw new Blocked("a delivery is not in the feed", "see WHL-08 first", "server");
  const before = (await watched.seen()).attempts.length;
  const { eventId, exchange } = await replay(t, endpoint.owner, id);
  const arrived = await eventually(t, endpoint.owner.tenant, async () => {
    const seen = await watched.seen();
    return countOf(seen, eventId.toLowerCase()) > 0 ? seen : null;
  });
  const seen = arrived ?? (await watched.seen());
  // Only where the replay came under no new id is one that came under the old one to be taken for it.
  const repeated = arrived === null && eventIdsOf(seen).slice(before).includes(original);
  if (arrived === null && !repeated)
    throw new Blocked("a replay was not attempted in time", "see WHP-13 and WHP-18 first", "server");
  t.verify("EVT-16", !repeated && eventId.toLowerCase() !== original, {
    expected: `a replay with another event id than ${original}`,
    actual: repeated ? "an attempt with that id" : eventId,
    ...shownBy([exchange, ...seen.shown]),
  });
}

/** Whether the feed shows that the receiver took an event. */
async function isTaken(t: CheckContext, { endpoint }: WatchedEndpoint, event: string): Promise<boolean> {
  const { records } = await attemptsAt(t, endpoint, 1);
  return records.some(({ event_id, outcome }) => isSameId(event_id, event) && outcome === "success");
}

/** Another event, which is taken at its second attempt; none where it was not seen to be. */
async function takenAtSecond(t: CheckContext, watched: WatchedEndpoint): Promise<readonly string[]> {
  await watched.meet(500, 200);
  const before = await watched.seen();
  await makeEvent(t, watched.endpoint);
  const seen = await attempted(t, watched, before.attempts.length + 1);
  const event = eventIdsOf(seen).find((id) => !eventIdsOf(before).includes(id));
  if (event === undefined) return [];
  await triedAgain(t, watched, event);
  return (await isTaken(t, watched, event)) ? [event] : [];
}

/** Decides whether events that were taken are left alone. */
async function judgeSilence(
  t: CheckContext,
  watched: WatchedEndpoint,
  [original, ...others]: readonly [string, ...string[]],
): Promise<void> {
  const { tenant } = watched.endpoint.owner;
  if (!(await isTaken(t, watched, original)))
    throw new Blocked(
      "an attempt that was answered with 200 is not recorded as a success",
      "see EVT-11 first",
      "server",
    );
  // What came right behind a success came before this one began to look.
  const { records, pages } = await attemptsAt(t, watched.endpoint, 1);
  for (const event of [original, ...others]) {
    const numbers = (only: (record: AttemptRecord) => boolean): readonly number[] =>
      records.filter((one) => isSameId(one.event_id, event) && only(one)).map(({ attempt }) => Number(attempt));
    const taken = Math.min(...numbers(({ outcome }) => outcome === "success"));
    const further = numbers(() => true).filter((number) => number > taken);
    t.verify("EVT-14", further.length === 0, {
      expected: `no attempt of event ${event} behind attempt ${taken}, its success`,
      actual: further.length === 0 ? "none" : `attempt ${further.join(", ")}`,
      exchanges: pages.slice(0, 1),
    });
  }
  const before = await watched.seen();
  for (const seconds of growingSteps) await tenant.advance(seconds, "attempts that should not come");
  await settle(tenant);
  const after = await watched.seen();
  for (const event of [original, ...others]) {
    const further = countOf(after, event) - countOf(before, event);
    // A server may keep records for less time than that.
    t.verify("EVT-14", further <= 0, {
      expected: `no attempt of event ${event} after its success`,
      actual: `${further} in the three weeks after`,
      ...shownBy(after.shown),
    });
  }
}
