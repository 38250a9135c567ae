import type { Check } from "../../context/check.ts";
import type { CheckContext, Evidence } from "../../context/context.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { earliest } from "../../steps/first-attempt.ts";
import { growingSteps } from "../../steps/growing-steps.ts";
import { makeEvent } from "../../steps/make-event.ts";
import { replay } from "../../steps/replay.ts";
import { attemptsAt, eventually, isSameId, settle } from "../../steps/settle.ts";
import {
  lowered,
  onRecord,
  received,
  type SeenAttempts,
  type Stage,
  type Staging,
  shownBy,
} from "../../steps/stage.ts";

/** A delivery that is taken at the third attempt, and its replay. */
const retried = ({ name, sight, need, open }: Staging): Check => ({
  id: `events.retries-${name}`,
  title: `A retry keeps its event's id and a replay has another, and what was taken is not sent again, as ${sight} shows`,
  rules: ["EVT-13", "EVT-14", "EVT-16"],
  kind: "scenario",
  needs: [need],
  effects: ["creates"],
  draws: { deliveryReplays: 1 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const alone = tenant.fresh;
    const stage = await open(t, await tenant.main(), [500, 500, 200]);
    const before = (await stage.attempts()).eventIds;
    const { id: made } = await makeEvent(t, stage.endpoint);
    const isIt = (id: string): boolean => (made === null ? !before.includes(id) : id === lowered(made));
    const original = (await attempted(t, stage, before.length + 1, isIt)).eventIds.find(isIt);
    if (original === undefined) throw new Blocked("no attempt came in time", "see WHE-08 first", "server");
    const second = await triedAgain(t, stage, original);
    // How often it is tried is open.
    const seen = tenant.manualClock ? await triedAgain(t, stage, original).catch(orBlocked(second)) : second;
    const isRetry = (id: string): boolean => !before.includes(id) && !seen.begun.has(id);
    const ids = [...new Set(seen.eventIds.filter((id) => id === original || isRetry(id)))];
    const evidence: Evidence = {
      expected: `attempts of the one event ${original}`,
      actual: ids.join(" and "),
      ...shownBy(seen.shown),
      // In an organization that others use, something may have happened of which the endpoint heard.
      warnOnly: !alone,
    };
    t.verify("EVT-13", ids.length === 1, evidence);
    if (ids.length > 1) t.verify("EVT-16", false, evidence);
    const taken = (await stage.attempts()).eventIds.filter((id) => id === original).length;
    await judgeReplay(t, stage, original);
    const again = (await stage.attempts()).eventIds.filter((id) => id === original).length - taken;
    t.verify("EVT-14", again <= 0 || !(await isTaken(t, stage, original)), {
      expected: `no attempt of event ${original} beside that of its replay`,
      actual: again <= 0 ? "none" : `${again} more`,
      ...shownBy((await stage.attempts()).shown),
    });
    if (!tenant.manualClock) throw new Blocked("time runs by itself", "give the kit a sandbox, or an advance hook");
    await judgeSilence(t, stage, original);
  },
});

/** Gives something else where a step was blocked. */
const orBlocked =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof Blocked) return instead;
    throw error;
  };

/** Each by what reaches the kit's receiver, and without one by what the feed records. */
export const retryChecks: readonly Check[] = [retried(received), retried(onRecord)];

/** What was seen once there were so many attempts, or as many as came in time. */
async function attempted(
  t: CheckContext,
  stage: Stage,
  count: number,
  isWanted: (id: string) => boolean = () => true,
): Promise<SeenAttempts> {
  const found = await eventually(t, stage.endpoint.owner.tenant, async () => {
    const seen = await stage.attempts();
    return seen.eventIds.length >= count && seen.eventIds.some(isWanted) ? seen : null;
  });
  return found ?? stage.attempts();
}

/** Lets time pass until there is a further attempt. Blocks when none comes: whether, and when, is open. */
async function triedAgain(t: CheckContext, stage: Stage, original: string): Promise<SeenAttempts> {
  const { tenant } = stage.endpoint.owner;
  // An attempt may be made twice at once, which makes it no retry.
  await settle(tenant);
  const before = (await stage.attempts()).eventIds.length;
  for (const seconds of tenant.manualClock ? growingSteps : []) {
    await tenant.advance(seconds, "the next attempt of a delivery");
    const seen = await stage.attempts();
    if (seen.eventIds.length > before) return seen;
  }
  const seen = await attempted(t, stage, before + 1);
  if (seen.eventIds.length > before) return seen;
  // It may have been tried again at once.
  const { records } = await attemptsAt(t, stage.endpoint, 0);
  if (records.some(({ event_id, attempt }) => isSameId(event_id, original) && Number(attempt) > 1)) return seen;
  throw new Blocked(
    "a failed delivery was not tried again in time",
    tenant.manualClock ? "see EVT-15 first" : "give the kit a clock to move: an advance hook, or a sandbox",
    tenant.manualClock ? "server" : "target file",
  );
}

/** Replays a delivery and decides whether the attempt of that is of another event. */
async function judgeReplay(t: CheckContext, stage: Stage, original: string): Promise<void> {
  const { endpoint } = stage;
  const { records } = await attemptsAt(t, endpoint, 1);
  const { id } = earliest(records.filter(({ event_id }) => isSameId(event_id, original))) ?? {};
  if (typeof id !== "string") throw new Blocked("a delivery is not in the feed", "see WHL-08 first", "server");
  const before = (await stage.attempts()).eventIds.length;
  const { eventId, exchange } = await replay(t, endpoint.owner, id);
  const arrived = await eventually(t, endpoint.owner.tenant, async () => {
    const seen = await stage.attempts();
    return seen.eventIds.includes(lowered(eventId)) ? seen : null;
  });
  const { eventIds, shown } = arrived ?? (await stage.attempts());
  // Only where the replay came under no new id is one that came under the old one to be taken for it.
  const repeated = arrived === null && eventIds.slice(before).includes(original);
  if (arrived === null && !repeated)
    throw new Blocked("a replay was not attempted in time", "see WHP-13 and WHP-18 first", "server");
  t.verify("EVT-16", !repeated && lowered(eventId) !== original, {
    expected: `a replay with another event id than ${original}`,
    actual: repeated ? "an attempt with that id" : eventId,
    ...shownBy([exchange, ...shown]),
  });
}

/** Whether the feed shows that the receiver took an event. */
async function isTaken(t: CheckContext, { endpoint }: Stage, event: string): Promise<boolean> {
  const { records } = await attemptsAt(t, endpoint, 1);
  return records.some(({ event_id, outcome }) => isSameId(event_id, event) && outcome === "success");
}

/** Decides whether an event that was taken is left alone. */
async function judgeSilence(t: CheckContext, stage: Stage, original: string): Promise<void> {
  const { tenant } = stage.endpoint.owner;
  const count = ({ eventIds }: SeenAttempts): number => eventIds.filter((id) => id === original).length;
  if (!(await isTaken(t, stage, original)))
    throw new Blocked(
      "an attempt that was answered with 200 is not recorded as a success",
      "see EVT-11 first",
      "server",
    );
  const before = count(await stage.attempts());
  for (const seconds of growingSteps) await tenant.advance(seconds, "attempts that should not come");
  await settle(tenant);
  const after = await stage.attempts();
  // A server may keep records for less time than that.
  t.verify("EVT-14", count(after) <= before, {
    expected: `no attempt of event ${original} after its success`,
    actual: `${count(after) - before} in the three weeks after`,
    ...shownBy(after.shown),
  });
}
