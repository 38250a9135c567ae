import { type BucketName, buckets } from "../../../generated/limits.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Effect } from "../../arrangements/effect.ts";
import { type Check, check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { bucketSize } from "../../context/draws.ts";
import { type Exchange, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { judgeConcurrentCalls } from "../../steps/concurrent-calls.ts";
import { attemptConsent } from "../../steps/consent.ts";
import { consentedBurst } from "../../steps/consented-sends.ts";
import { attemptErase } from "../../steps/contact.ts";
import { readScope } from "../../steps/grantable.ts";
import { attemptsToSend, optIn, sendDraws } from "../../steps/message.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { idOf } from "../../steps/own-key.ts";
import { attemptReplay } from "../../steps/replay.ts";
import { roomyBucket } from "../../steps/roomy-bucket.ts";
import { spendWithin } from "../../steps/spend-within.ts";
import { create, fillBucket, isThrottled } from "../../steps/throttle.ts";
import { ruleOfTier } from "./rule-of-tier.ts";

/** More calls than a bucket has room for. */
interface Burst {
  readonly id: string;
  readonly title: string;
  /** Such as "creations". */
  readonly noun: string;
  readonly bucket: BucketName;
  /** Calls on the bucket: these, and those that make ready for them. */
  readonly draws: number;
  /** The rule that as many are admitted as there is room for. */
  readonly admits: RuleId;
  /** The rule that the others are refused. */
  readonly refuses: RuleId;
  /** Makes ready for the calls. */
  readonly ready: (t: CheckContext, main: Credential) => Promise<readonly (() => Promise<Exchange>)[]>;
}

const { apiKeyWrites, deliveryReplays } = buckets;

/** A call, as many times. */
const times = (count: number, call: () => Promise<Exchange>) => Array.from({ length: count }, () => call);

/** Rotations that come beside as many creations: more calls than the bucket has room for, and fewer of either. */
const ofEach = apiKeyWrites.capacity - 2;

const bursts: readonly Burst[] = [
  {
    id: "limits.concurrent-burst",
    title: "A burst of concurrent creations is admitted exactly as often as the bucket has room",
    noun: "creations",
    bucket: "apiKeyWrites",
    draws: apiKeyWrites.capacity * 4,
    admits: "KEYC-29",
    refuses: "KEYC-30",
    ready: async (t, main) => times(apiKeyWrites.capacity * 4, () => create(t, main)),
  },
  {
    id: "limits.concurrent-mixed-burst",
    title: "Creations and rotations that arrive at once are admitted exactly as often as their bucket has room",
    noun: "creations and rotations",
    bucket: "apiKeyWrites",
    draws: 3 * ofEach,
    admits: "KEYC-32",
    refuses: "KEYC-32",
    async ready(t, main) {
      // Each is rotated once: of two rotations of one key at once, one may find it gone.
      const ids: string[] = [];
      while (ids.length < ofEach) ids.push(idOf(await main.tenant.keyWith([readScope], { unused: true })));
      return ids.flatMap((id) => [() => t.attempt("rotateApiKey", { path: { id } }, main), () => create(t, main)]);
    },
  },
  {
    id: "limits.concurrent-replays",
    title: "A burst of concurrent replays is admitted exactly as often as the bucket has room",
    noun: "replays",
    bucket: "deliveryReplays",
    draws: deliveryReplays.capacity * 4,
    admits: "WHP-22",
    refuses: "WHP-23",
    async ready(t, main) {
      const { id } = await ownDelivery(t, main);
      return times(deliveryReplays.capacity * 4, () => attemptReplay(t, main, id));
    },
  },
];

/** A bucket counts exactly, however many calls arrive at once. */
export const concurrentBursts: readonly Check[] = bursts.map((burst) => {
  const { id, title, noun, bucket, admits, refuses } = burst;
  const size = bucketSize(bucket);
  return check({
    id,
    title,
    rules: [...new Set([admits, refuses])],
    kind: "scenario",
    needs: ["manual-clock"],
    effects: ["creates", "exhausts"],
    draws: { [bucket]: burst.draws },
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      if (!tenant.manualClock)
        throw new Blocked(
          "time runs, so a bucket refills during the burst",
          "give the kit a sandbox, or an advance hook whose clock is manual",
        );
      const alone = tenant.fresh;
      const main = await tenant.main();
      const calls = await burst.ready(t, main);
      const full = await fillBucket(tenant, alone, size);
      const exchanges = await Promise.all(calls.map((call) => call()));
      judgeConcurrentCalls(t, {
        exchanges,
        noun,
        room: size.capacity,
        isRefusal: isThrottled,
        admits,
        refuses,
        // Where the limit may be changed, it may be another one in an organization that was given.
        warnOnly: { tooFew: !full, tooMany: buckets[bucket].adjustable && !alone },
      });
    },
  });
});

/** A limit that a sandbox makes so narrow that a few concurrent calls exceed it. */
interface Narrowed {
  readonly id: string;
  readonly noun: string;
  readonly bucket: BucketName;
  /** Other buckets that the calls draw from. */
  readonly roomy: readonly BucketName[];
  readonly rule: RuleId;
  readonly effects: readonly Effect[];
  readonly ready: (t: CheckContext, main: Credential) => Promise<readonly (() => Promise<Exchange>)[]>;
}

const narrowed: readonly Narrowed[] = [
  {
    id: "limits.concurrent-consents",
    noun: "consents",
    bucket: "consentRecords",
    roomy: [],
    rule: "LIM-15",
    effects: [],
    async ready(t, main) {
      return [...t.numbers("batched"), ...t.numbers("refused_batch")].map(
        (number) => () => attemptConsent(t, main, number),
      );
    },
  },
  {
    id: "limits.concurrent-erasures",
    noun: "erasures",
    bucket: "contactErasures",
    roomy: [],
    rule: "LIM-19",
    effects: [],
    async ready(t, main) {
      const numbers = [...t.numbers("erased"), ...t.numbers("erased_waiting")];
      for (const number of numbers) await optIn(t, main, number);
      return numbers.map((number) => () => attemptErase(t, main, number));
    },
  },
  {
    id: "limits.concurrent-sends",
    noun: "sends",
    bucket: "messageSendsPerMinute",
    roomy: ["messageSendsPerSecond"],
    rule: "LIM-06",
    effects: ["spends"],
    async ready(t, main) {
      const send = await attemptsToSend(t, main);
      return Array.from({ length: 4 * room }, (_, index) => () => send(index));
    },
  },
];

/** Calls that a narrow bucket has room for. */
const room = 2;

export const narrowedBursts: readonly Check[] = narrowed.map(({ id, noun, bucket, roomy, rule, effects, ready }) =>
  check({
    id,
    title: `No more ${noun} that arrive at once are admitted than their limit has room for`,
    rules: [rule],
    kind: "scenario",
    needs: ["manual-clock", "limit-override"],
    effects: ["creates", "exhausts", ...effects],
    draws: {},
    async run(t) {
      const limits = {
        [bucket]: { capacity: room, period_seconds: buckets[bucket].periodSeconds },
        ...Object.fromEntries(roomy.map((name) => [name, roomyBucket])),
      };
      const main = await (await t.tenant({ clock: "manual", limits })).main();
      const calls = await ready(t, main);
      const exchanges = await consentedBurst(t, main.tenant, calls.slice(0, 2), {
        make: () => Promise.all(calls.map((call) => call())),
        sends: (all) => all,
      });
      const unknown = exchanges.find((exchange) => answeredBy(exchange, "NotFound"));
      if (unknown !== undefined)
        throw new Blocked(
          `one of the ${noun} was answered ${summaryOf(unknown)}`,
          "see CON-22 first; a consent may count some time after it was captured",
          "server",
        );
      judgeConcurrentCalls(t, {
        exchanges,
        noun: `${noun}, where the limit is ${room},`,
        room,
        isRefusal: isThrottled,
        admits: rule,
        refuses: rule,
        // Nothing says that calls which meet must not stand in each other's way.
        warnOnly: { tooFew: true, tooMany: false },
      });
    },
  }),
);

/** Sends in addition to those that a tier of the ladder admits in a second. */
const sendsBeyond = 20;

/** Concurrent sends on each tier of the ladder. */
export const sendsAtOnce: readonly Check[] = buckets.messageSendsPerSecond.tiers.map(({ tier, capacity }, index) => {
  const rule = ruleOfTier[index] ?? "LIM-01";
  return check({
    id: `limits.concurrent-sends.tier-${tier}`,
    title: `Tier ${tier} of the send ladder admits no more concurrent sends than its limit per second`,
    rules: [rule],
    kind: "scenario",
    needs: ["manual-clock", "lifetime-spend"],
    effects: ["creates", "spends", "exhausts"],
    draws: { ...sendDraws(capacity + sendsBeyond), consentRecords: 2 },
    async run(t) {
      const main = await (await t.tenant({ clock: "manual", lifetime_spend_micros: spendWithin(index) })).main();
      const send = await attemptsToSend(t, main);
      const indexes = Array.from({ length: capacity + sendsBeyond }, (_, place) => place);
      judgeConcurrentCalls(t, {
        exchanges: await consentedBurst(t, main.tenant, [() => send(0), () => send(1)], {
          make: () => Promise.all(indexes.map(send)),
          sends: (exchanges) => exchanges,
        }),
        noun: `sends on tier ${tier}`,
        room: capacity,
        isRefusal: isThrottled,
        admits: rule,
        refuses: rule,
        // The API document permits that concurrent calls hinder each other.
        warnOnly: { tooFew: true, tooMany: false },
      });
    },
  });
});
