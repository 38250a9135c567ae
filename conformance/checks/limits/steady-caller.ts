import { type BucketName, buckets } from "../../../generated/limits.ts";
import type { Need } from "../../arrangements/all.ts";
import type { Effect } from "../../arrangements/effect.ts";
import { type Check, check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type BucketSize, bucketSize, type Draws } from "../../context/draws.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential, TenantWish } from "../../provision/tenant.ts";
import { attemptBatch, attemptConsent } from "../../steps/consent.ts";
import { attemptsToErase } from "../../steps/contact.ts";
import { attemptsToSend, sendDraws } from "../../steps/message.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { attemptReplay } from "../../steps/replay.ts";
import { roomyBucket } from "../../steps/roomy-bucket.ts";
import { spendWithin } from "../../steps/spend-within.ts";
import { create, isThrottled } from "../../steps/throttle.ts";
import { limitedCalls, narrowly } from "./limited-calls.ts";
import { ownKey, rotations } from "./shared-bucket.ts";
import { type Spell, steadySpells, unevenCapacity, unevenSpells } from "./steady-rhythm.ts";

type Call = (index: number) => Promise<Exchange>;

/** Calls of one kind on one bucket. */
interface SteadyCaller {
  readonly id: string;
  /** Such as "creations". */
  readonly noun: string;
  readonly size: BucketSize;
  /** Units that each call draws; one if not given. */
  readonly units?: number;
  readonly needs?: readonly Need[];
  readonly wish?: TenantWish;
  readonly effects: readonly Effect[];
  /** The quota that this many calls draw. */
  readonly draws: (calls: number) => Draws;
  readonly ready: (t: CheckContext, as: Credential) => Promise<Call>;
}

/** Calls of one kind in a row before those of the other kind that draws from the same bucket. */
const creationsInRow = buckets.apiKeyWrites.capacity + 2;

/** The contract does not state the allowance of consents, so the sandbox sets one. */
const consents = (capacity: number): Pick<SteadyCaller, "size" | "needs" | "wish"> => {
  const { periodSeconds } = buckets.consentRecords;
  return {
    size: { capacity, periodSeconds },
    needs: ["limit-override"],
    wish: { limits: { consentRecords: { capacity, period_seconds: periodSeconds } } },
  };
};

/** Records in each batch of consents. */
const recordsInBatch = 3;

/** The tiers with a minute bucket that the check exceeds. Higher tiers require thousands of sends. */
const minuteTiers = buckets.messageSendsPerMinute.tiers.slice(0, 2);

const steadyCallers: Readonly<Record<BucketName, readonly SteadyCaller[]>> = {
  apiKeyWrites: [
    {
      id: "creations-and-rotations",
      noun: "creations and rotations",
      size: bucketSize("apiKeyWrites"),
      effects: ["creates"],
      draws: (calls) => ({ apiKeyWrites: calls + 1 }),
      async ready(t, as) {
        const rotate = rotations(t, as, await ownKey(as.tenant));
        return (index) => (Math.floor(index / creationsInRow) % 2 === 0 ? create(t, as) : rotate());
      },
    },
  ],
  deliveryReplays: [
    {
      id: "replays",
      noun: "replays",
      size: bucketSize("deliveryReplays"),
      effects: ["creates"],
      draws: (calls) => ({ deliveryReplays: calls }),
      async ready(t, as) {
        const { id } = await ownDelivery(t, as);
        return () => attemptReplay(t, as, id);
      },
    },
  ],
  contactErasures: [
    {
      id: "erasures",
      noun: "erasures",
      size: bucketSize("contactErasures"),
      effects: ["creates"],
      draws: (calls) => ({ contactErasures: calls, consentRecords: 2 * calls }),
      ready: attemptsToErase,
    },
  ],
  consentRecords: [
    {
      id: "consents",
      noun: "consents",
      ...consents(6),
      effects: ["creates"],
      draws: () => ({}),
      async ready(t, as) {
        const [one, other] = t.numbers("recipients");
        return (index) => attemptConsent(t, as, index % 2 === 0 ? one : other);
      },
    },
    {
      id: "batches",
      noun: `batches of ${recordsInBatch} consents`,
      ...consents(4 * recordsInBatch),
      units: recordsInBatch,
      effects: ["creates"],
      draws: () => ({}),
      async ready(t, as) {
        const numbers = t.numbers("batched").slice(0, recordsInBatch);
        return () => attemptBatch(t, as, numbers);
      },
    },
  ],
  messageSendsPerSecond: buckets.messageSendsPerSecond.tiers.map(({ tier, capacity }, index) => ({
    id: `sends-in-second.tier-${tier}`,
    noun: `sends on tier ${tier}`,
    size: { capacity, periodSeconds: buckets.messageSendsPerSecond.periodSeconds },
    needs: ["lifetime-spend"],
    wish: { lifetime_spend_micros: spendWithin(index) },
    effects: ["creates", "spends"],
    draws: sendDraws,
    ready: attemptsToSend,
  })),
  messageSendsPerMinute: minuteTiers.map(({ tier, capacity }, index) => ({
    id: `sends-in-minute.tier-${tier}`,
    noun: `sends on tier ${tier}`,
    size: { capacity, periodSeconds: buckets.messageSendsPerMinute.periodSeconds },
    needs: ["lifetime-spend", "limit-override"],
    wish: { lifetime_spend_micros: spendWithin(index), limits: { messageSendsPerSecond: roomyBucket } },
    effects: ["creates", "spends"],
    draws: sendDraws,
    ready: attemptsToSend,
  })),
};

/** Callers below a limit over several of its periods, without a pause that would let any counter expire. */
export const steadyCallerChecks: readonly Check[] = Object.values(steadyCallers)
  .flat()
  .map(({ id, noun, size, units = 1, needs = [], wish = {}, effects, draws, ready }) => {
    const spells = steadySpells(size, units);
    return check({
      id: `limits.steady-caller.${id}`,
      title: `The server accepts steady ${noun} below the limit for many periods, without a pause of one period`,
      rules: ["LIM-24"],
      kind: "scenario",
      needs: ["manual-clock", ...needs],
      effects: [...effects],
      draws: draws(spells.reduce((sum, { calls }) => sum + calls, 0)),
      run: (t) => judgeSpells(t, { noun, size, spells, wish: { clock: "manual", ...wish }, ready }),
    });
  });

/** Callers below a limit whose pauses are no whole multiples of the time in which one unit refills. */
export const unevenCallerChecks: readonly Check[] = limitedCalls.map((limited) => {
  const size = { capacity: unevenCapacity, periodSeconds: buckets[limited.bucket].periodSeconds };
  return check({
    id: `limits.uneven-caller.${limited.id}`,
    title: `The server accepts uneven ${limited.noun} below the limit for many periods`,
    rules: ["LIM-24"],
    kind: "scenario",
    needs: ["manual-clock", "limit-override"],
    effects: ["creates", "spends"],
    draws: {},
    run: (t) =>
      judgeSpells(t, {
        noun: limited.noun,
        size,
        spells: unevenSpells(size.periodSeconds),
        wish: narrowly(limited, unevenCapacity),
        ready: async (...given) => (await limited.ready(...given)).call,
      }),
  });
});

interface JudgedSpells {
  readonly noun: string;
  readonly size: BucketSize;
  readonly spells: readonly Spell[];
  readonly wish: TenantWish;
  readonly ready: (t: CheckContext, as: Credential) => Promise<Call>;
}

async function judgeSpells(
  t: CheckContext<"LIM-24">,
  { noun, size, spells, wish, ready }: JudgedSpells,
): Promise<void> {
  const tenant = await t.tenant(wish);
  if (!tenant.manualClock)
    throw new Blocked("time runs by itself", "give the kit a sandbox, or an advance hook whose clock is manual");
  const alone = tenant.fresh;
  const call = await ready(t, await tenant.main());
  await tenant.advance(2 * size.periodSeconds + 1, "a limit that counts no call");
  const limit = `${size.capacity} in ${size.periodSeconds} s`;
  let admitted: Exchange | null = null;
  let count = 0;
  let elapsedSeconds = 0;
  for (const { calls, pauseSeconds } of spells) {
    for (let left = calls; left > 0; left -= 1) {
      const exchange = await call(count);
      if (!isSuccess(exchange) && !isThrottled(exchange))
        throw new Blocked(
          `one of the ${noun} was answered ${summaryOf(exchange)}`,
          "see its own rules first",
          "server",
        );
      if (isThrottled(exchange)) {
        t.verify("LIM-24", false, {
          expected: `a call admitted after ${count} ${noun} in ${Math.round(elapsedSeconds)} s, where the limit is ${limit}`,
          actual: summaryOf(exchange),
          exchanges: admitted === null ? [exchange] : [admitted, exchange],
          // Other callers may draw too, or the organization may have another limit.
          warnOnly: !alone,
        });
        return;
      }
      admitted = exchange;
      count += 1;
    }
    await tenant.advance(pauseSeconds, "a pause of a steady caller");
    elapsedSeconds += pauseSeconds;
  }
  t.verify("LIM-24", true, {
    expected: `${count} ${noun} admitted in ${Math.round(elapsedSeconds)} s, where the limit is ${limit}`,
    actual: "all of them",
    exchanges: admitted === null ? [] : [admitted],
  });
}
