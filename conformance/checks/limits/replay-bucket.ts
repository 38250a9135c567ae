import { buckets } from "../../../generated/limits.ts";
import { check } from "../../context/check.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { attemptReplay, replay, replayedIn } from "../../steps/replay.ts";
import { roomForOne } from "../../steps/room-for-one.ts";
import { strangeEvents } from "../../steps/strange-events.ts";
import { blockUnlessThrottled, burst, create, fillBucket, insistence, isThrottled } from "../../steps/throttle.ts";
import { type Refusable, withoutEffect } from "../../steps/without-effect.ts";
import { loneWait } from "./lone-wait.ts";

const size = buckets.deliveryReplays;
const { capacity } = size;
const { capacity: keyCapacity, periodSeconds: keyPeriod } = buckets.apiKeyWrites;

/** Two buckets side by side. */
export const replaysApart = check({
  id: "limits.replays-apart",
  title: "Replays leave the bucket of API keys full, and keys that of replays",
  rules: ["WHP-24"],
  kind: "scenario",
  needs: ["full-bucket"],
  effects: ["creates", "exhausts"],
  draws: { apiKeyWrites: 2 * keyCapacity, deliveryReplays: 2 * capacity },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const alone = tenant.fresh;
    const main = await tenant.main();
    const { id } = await ownDelivery(t, main);
    const replays = [capacity, () => attemptReplay(t, main, id)] as const;
    const creations = [keyCapacity, () => create(t, main)] as const;
    // Both refill in one wait.
    const wait = Math.max(keyPeriod, size.periodSeconds) * (tenant.manualClock ? 2 : 1);
    for (const [round, [first, second]] of [[replays, creations] as const, [creations, replays] as const].entries()) {
      const untouched = round === 0 && tenant.fresh;
      if (!untouched) await tenant.advance(wait, "full buckets");
      const full = untouched || (alone && tenant.manualClock);
      const drawn = await several(...first);
      const refused = drawn.find((exchange) => !isSuccess(exchange));
      if (refused !== undefined) {
        const message = `one of ${drawn.length} calls from a full bucket was answered ${summaryOf(refused)}`;
        throw new Blocked(message, "see KEYC-29 and WHP-22 first", "server");
      }
      const beside = await several(...second);
      const missed = beside.find((exchange) => !isSuccess(exchange)) ?? null;
      blockUnlessThrottled(missed);
      const [before, after] = first === replays ? ["replays", "creations"] : ["creations", "replays"];
      t.verify("WHP-24", missed === null, {
        expected: `${beside.length} ${after} admitted after ${drawn.length} ${before}`,
        actual: missed === null ? "those" : `${beside.filter(isSuccess).length} admitted, and ${summaryOf(missed)}`,
        exchanges: missed === null ? [] : [missed],
        warnOnly: !full,
      });
    }
  },
});

async function several(count: number, call: () => Promise<Exchange>): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  while (exchanges.length < count) exchanges.push(await call());
  return exchanges;
}

/** A throttled replay is delivered to nobody. */
export const throttledReplays = check({
  id: "limits.throttled-replays",
  title: "A throttled replay sends nothing, neither at once nor when the bucket has refilled",
  rules: ["WHP-25"],
  kind: "scenario",
  needs: ["full-bucket"],
  effects: ["creates", "exhausts"],
  draws: { deliveryReplays: capacity + 4 + insistence },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const alone = tenant.fresh;
    const main = await tenant.main();
    const { id, record, endpoint, earlier } = await ownDelivery(t, main);
    await fillBucket(tenant, alone, size);
    const asked: Exchange[] = [];
    const ask = async (): Promise<Exchange> => {
      const exchange = await attemptReplay(t, main, id);
      asked.push(exchange);
      return exchange;
    };
    const { refusedEarly, beyond } = await burst(ask, main, size);
    blockUnlessThrottled(refusedEarly);
    if (!isThrottled(beyond)) throw new Blocked("no replay was refused", "see WHP-23 first", "server");
    for (const _ of ["once", "twice"]) await ask();
    const admitted = asked.filter(isSuccess).map((exchange) => replayedIn(exchange).eventId);
    if (tenant.manualClock) await tenant.advance(2 * size.periodSeconds, "a refilled bucket");
    const strange = await strangeEvents(t, endpoint, [record.event_id, ...earlier, ...admitted]);
    t.verify("WHP-25", strange.length === 0, {
      expected: `attempts of the original and of ${admitted.length} admitted replays alone`,
      actual: strange.length === 0 ? "those" : `attempts of ${strange.join(", ")} too`,
      exchanges: asked.filter(isThrottled),
      // In an organization that others use, something may have happened of which the endpoint heard.
      warnOnly: !alone,
    });
  },
});

/** A replay more than the limit has room for. */
const secondReplay: Refusable = {
  operation: "replayDelivery",
  needs: ["limit-override"],
  effects: ["creates", "exhausts"],
  draws: {},
  async begin(t) {
    const tenant = await roomForOne(t, "deliveryReplays");
    const main = await tenant.main();
    const { id } = await ownDelivery(t, main);
    await replay(t, main, id);
    return { tenant, send: () => attemptReplay(t, main, id) };
  },
};

/** What else it may change. */
export const throttledReplayEffect = withoutEffect({ ...secondReplay, row: "RateLimited" });

export const replayWait = loneWait("WHP-26", secondReplay);
