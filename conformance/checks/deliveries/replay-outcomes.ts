import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import type { Endpoint } from "../../steps/endpoint.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { firstAttempt } from "../../steps/first-attempt.ts";
import { laterAttempts } from "../../steps/later-attempts.ts";
import { outcomes } from "../../steps/outcomes.ts";
import { callReplay, replayedIn } from "../../steps/replay.ts";
import { attemptsAt, isSameId } from "../../steps/settle.ts";
import { singleAttempt } from "../../steps/single-attempt.ts";
import { byReceiver, bySandbox, forEachVantage } from "../../steps/vantage.ts";

/** Replays of deliveries of every outcome. */
export const replayOutcomes = forEachVantage([byReceiver, bySandbox], ({ watch, name }) =>
  check({
    id: "deliveries.replay-outcomes",
    title: "Deliveries of every outcome are replayed",
    rules: ["WHP-21", "EVT-14", "WHP-34"],
    kind: "scenario",
    needs: [],
    effects: ["creates"],
    draws: { deliveryReplays: 6 },
    async run(t) {
      const main = await (await t.tenant({ clock: "manual" })).main();
      const { endpoint, meet } = await watch(t, main);
      await meet(200);
      const taken = await attempted(t, endpoint);
      // Whether it was answered or not.
      await meet(name === "receiver" ? 500 : null);
      const failed = await attempted(t, endpoint);
      const seen = new Set<unknown>();
      for (const record of [taken, failed]) {
        const { id: delivery, outcome } = record;
        const exchange = await callReplay(t, main, String(delivery));
        if (!isSuccess(exchange)) throw refused(t, outcome, exchange);
        if (outcome === "dead") await judgeDead(t, endpoint, record, [record], exchange);
        seen.add(outcome);
      }
      // A server that gives up at once has no attempt that it makes again.
      if (failed.outcome === "dead") seen.add("retry");
      else if (main.tenant.manualClock) {
        const refusal = await replayDead(t, endpoint, taken, failed);
        if (refusal !== null) throw refused(t, "dead", refusal);
        seen.add("dead");
      }
      const missing = outcomes.filter((outcome) => !seen.has(outcome));
      if (missing.length > 0) {
        const message = `there is no delivery with the outcome ${missing.join(", ")} to replay`;
        throw new Blocked(message, "give the kit a clock to move: an advance hook, or a sandbox");
      }
      t.verify("WHP-21", true, { expected: "replays of every outcome", actual: "those", exchanges: [] });
      if (failed.outcome === "dead") throw singleAttempt();
      // Decided already, but where only the first of its attempts stands for a delivery.
      throw new Blocked("what is dead is not replayed by the id of its last attempt", "see WHP-21 first", "server");
    },
  }),
);

/** Tells of a refusal, and why no more can be seen. */
function refused(t: CheckContext, outcome: unknown, exchange: Exchange): Blocked {
  t.verify("WHP-21", false, {
    expected: `a replay of a delivery with the outcome ${JSON.stringify(outcome)}`,
    actual: summaryOf(exchange),
    exchanges: [exchange],
  });
  return new Blocked("a replay was refused", "see WHP-21 first", "server");
}

/** Decides whether what is dead stays so when it is replayed. */
async function judgeDead(
  t: CheckContext,
  endpoint: Endpoint,
  { event_id }: AttemptRecord,
  known: readonly AttemptRecord[],
  exchange: Exchange,
): Promise<void> {
  const { records } = await attemptsAt(t, endpoint, 0);
  const further = records.filter(
    (record) => isSameId(record.event_id, event_id) && !known.some(({ id }) => isSameId(id, record.id)),
  );
  t.verify("EVT-14", further.length === 0, {
    expected: "no attempt of an event that is dead when it is replayed",
    actual: further.length === 0 ? "none" : `${further.length} more`,
    exchanges: [exchange],
  });
}

/** Decides whether the replay of what was tried several times is tried again as well, as nobody takes it either. */
async function judgeRetry(t: CheckContext, endpoint: Endpoint, exchange: Exchange): Promise<void> {
  const { eventId } = replayedIn(exchange);
  const { pages, enough } = await laterAttempts(
    t,
    endpoint,
    (all) => all.filter(({ event_id }) => isSameId(event_id, eventId)).length > 1,
  );
  t.verify("WHP-34", enough, {
    expected: `another attempt of the replay ${eventId} of a dead delivery that was tried several times`,
    actual: enough ? "that" : "none within three weeks",
    isSilence: true,
    exchanges: [exchange, ...pages.slice(0, 1)],
  });
}

/** Makes an event and gives the record of its first attempt. */
async function attempted(t: CheckContext, endpoint: Endpoint): Promise<AttemptRecord> {
  const { record } = (await firstAttempt(t, endpoint)) ?? {};
  if (typeof record?.id === "string") return record;
  throw new Blocked("no attempt of an event was in the feed in time", "see WHL-08 first", "server");
}

/** Waits until a delivery is dead and replays it; gives the refusal of that, null when there is none to blame. */
async function replayDead(
  t: CheckContext,
  endpoint: Endpoint,
  taken: AttemptRecord,
  { event_id, id: firstId }: AttemptRecord,
): Promise<Exchange | null> {
  const ask = (id: unknown): Promise<Exchange> => callReplay(t, endpoint.owner, String(id));
  const mine = (records: readonly AttemptRecord[]) => records.filter((record) => isSameId(record.event_id, event_id));
  const { records } = await laterAttempts(t, endpoint, (all) => mine(all).some(({ outcome }) => outcome === "dead"));
  const dead = mine(records).find(({ outcome }) => outcome === "dead");
  if (dead === undefined)
    throw new Blocked("a failing delivery was not dead within three weeks", "see EVT-15 first", "server");
  const exchange = await ask(dead.id);
  if (isSuccess(exchange)) {
    await judgeDead(t, endpoint, dead, records, exchange);
    if (!isSameId(dead.id, firstId)) await judgeRetry(t, endpoint, exchange);
    return null;
  }
  if (answeredBy(exchange, "EventExpired"))
    throw new Blocked("an event was past retention by the time that its delivery was dead", "see WHP-27", "server");
  const twin = await ask(taken.id);
  if (!isSuccess(twin)) {
    const message = `by then a delivery that the receiver had taken was answered ${summaryOf(twin)} too`;
    throw new Blocked(message, "see the rules on this request first", "server");
  }
  // The id of the first attempt may be the only one that stands for the delivery.
  if (isSameId(dead.id, firstId) || !isSuccess(await ask(firstId))) return exchange;
  const between = mine(records).find(({ id }) => !isSameId(id, firstId) && !isSameId(id, dead.id));
  return between !== undefined && isSuccess(await ask(between.id)) ? exchange : null;
}
