import * as fc from "fast-check";
import { type BucketName, buckets } from "../../../generated/limits.ts";
import type { RuleId } from "../../../generated/rules.ts";
import { type Check, check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type BucketSize, bucketSize } from "../../context/draws.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { attemptsToErase } from "../../steps/contact.ts";
import { attemptsToSend } from "../../steps/message.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { attemptReplay } from "../../steps/replay.ts";
import { roomyBucket } from "../../steps/roomy-bucket.ts";
import { create, isThrottled } from "../../steps/throttle.ts";
import { areAllThatFit, dueAt, type LimitedCall } from "./envelope.ts";

/** Calls that draw on the same buckets. */
interface Limited {
  readonly id: string;
  /** Such as "creations". */
  readonly noun: string;
  readonly draws: readonly [BucketName, ...BucketName[]];
  /** Other sizes than the contract's, which the organization is created with. */
  readonly sizes?: Readonly<Record<string, BucketSize>>;
  /** The rule that there is room for as many as the capacity. */
  readonly admits: RuleId;
  /** The rule that there is room for no more at once, and the one that there is for no more over time. */
  readonly refuses: RuleId;
  readonly refills: RuleId;
  /** Makes ready for calls; each is made as asked, whatever the answer. */
  readonly ready: (t: CheckContext, as: Credential) => Promise<() => Promise<Exchange>>;
}

/** For what calls want beside the limit. */
const roomySize = { capacity: roomyBucket.capacity, periodSeconds: roomyBucket.period_seconds };

const limited: readonly Limited[] = [
  {
    id: "limits.creations-limiter",
    noun: "creations",
    draws: ["apiKeyWrites"],
    ...{ admits: "KEYC-29", refuses: "KEYC-30", refills: "KEYC-36" },
    ready: async (t, as) => () => create(t, as),
  },
  {
    id: "limits.replays-limiter",
    noun: "replays",
    draws: ["deliveryReplays"],
    ...{ admits: "WHP-22", refuses: "WHP-23", refills: "WHP-23" },
    async ready(t, as) {
      const { id } = await ownDelivery(t, as);
      return () => attemptReplay(t, as, id);
    },
  },
  {
    id: "limits.sends-limiter",
    noun: "sends",
    draws: ["messageSendsPerSecond", "messageSendsPerMinute"],
    // Both so narrow that each of them is soon the one that has no room.
    sizes: {
      messageSendsPerSecond: { ...bucketSize("messageSendsPerSecond"), capacity: 3 },
      messageSendsPerMinute: { ...bucketSize("messageSendsPerMinute"), capacity: 3 },
    },
    ...{ admits: "LIM-06", refuses: "LIM-06", refills: "LIM-02" },
    ready: attemptsToSend,
  },
  {
    id: "limits.erasures-limiter",
    noun: "erasures",
    draws: ["contactErasures"],
    sizes: { contactErasures: { ...bucketSize("contactErasures"), capacity: 3 }, consentRecords: roomySize },
    ...{ admits: "LIM-19", refuses: "LIM-19", refills: "LIM-19" },
    ready: attemptsToErase,
  },
];

/** Spells of calls that a value has at most. */
const mostSpells = 3;

/** Calls at one second, and a pause behind them. */
interface Spell {
  readonly calls: number;
  readonly thenSeconds: number;
}

/** What a limit does after whatever was called before, where the clock is moved between calls. */
export const limiterChecks: readonly Check[] = limited.map(
  ({ id, noun, draws, sizes: others = {}, admits, refuses, refills, ready }) => {
    const sizes = draws.map((bucket) => others[bucket] ?? bucketSize(bucket));
    const limits = Object.fromEntries(
      Object.entries(others).map(([bucket, size]) => [
        bucket,
        { capacity: size.capacity, period_seconds: size.periodSeconds },
      ]),
    );
    const isOverridden = Object.keys(limits).length > 0;
    const isAdjustable = draws.some((bucket) => buckets[bucket].adjustable);
    /** More than the smallest of them holds. */
    const mostAtOnce = Math.min(...sizes.map(({ capacity }) => capacity)) + 2;
    const longestPeriod = Math.max(...sizes.map(({ periodSeconds }) => periodSeconds));
    /** Seconds after which no limit remembers anything: more than two periods. */
    const forgotten = 2 * longestPeriod + 1;
    return check({
      id,
      title: `Whatever was called and waited before, ${noun} are admitted and refused as some lawful way to keep the limit would have it`,
      rules: [...new Set([admits, refuses, refills])],
      kind: "property",
      needs: ["manual-clock", ...(isOverridden ? (["limit-override"] as const) : [])],
      effects: ["creates", "exhausts"],
      mostRuns: 12,
      // Once more for the calls that no value chooses.
      draws: Object.fromEntries(draws.map((bucket) => [bucket, 2 * mostSpells * mostAtOnce])),
      async run(t) {
        const tenant = await t.tenant({ clock: "manual", ...(isOverridden ? { limits } : {}) });
        if (!tenant.manualClock)
          throw new Blocked("time runs by itself", "give the kit a sandbox, or an advance hook whose clock is manual");
        const alone = tenant.fresh;
        const call = await ready(t, await tenant.main());
        const spell: fc.Arbitrary<Spell> = fc.record({
          calls: fc.integer({ min: 1, max: mostAtOnce }),
          thenSeconds: fc.integer({ min: 1, max: forgotten }),
        });
        await t.property(fc.array(spell, { minLength: 1, maxLength: mostSpells }), judgeSpells);
        // Whatever the values are, every rule must have been put to the test.
        await judgeSpells(
          Array<Spell>(mostSpells).fill({ calls: mostAtOnce, thenSeconds: Math.ceil(longestPeriod / 2) - 1 }),
        );

        async function judgeSpells(spells: readonly Spell[]): Promise<void> {
          await tenant.advance(forgotten, "a limit that remembers nothing");
          const before: LimitedCall[] = [];
          let at = 0;
          for (const { calls, thenSeconds } of spells) {
            for (let left = calls; left > 0; left -= 1) before.push(await judge(at, before));
            await tenant.advance(thenSeconds, "another spell of calls");
            at += thenSeconds;
          }
        }

        async function judge(at: number, before: readonly LimitedCall[]): Promise<LimitedCall> {
          const due = dueAt(at, before, sizes);
          const areAll = (calls: readonly LimitedCall[]): boolean =>
            sizes.some((size) => areAllThatFit(at, calls, size));
          const exchange = await call();
          const admitted = isSuccess(exchange);
          if (!admitted && !isThrottled(exchange))
            throw new Blocked(
              `one of the ${noun} was answered ${summaryOf(exchange)}`,
              "see its own rules first",
              "server",
            );
          const evidence = { actual: summaryOf(exchange), exchanges: [exchange] };
          const after = historyText(at, before);
          // Others may draw too, or have changed a limit that can be.
          const lenient = !alone && isAdjustable;
          const now = before.filter((one) => one.at === at);
          if (due === "admitted")
            t.verify(admits, admitted, { ...evidence, expected: `a call admitted after ${after}`, warnOnly: !alone });
          else if (areAll(now))
            t.verify(refuses, !admitted || due === "either", {
              ...evidence,
              expected: `a call refused after ${after}`,
              warnOnly: lenient,
            });
          else if (areAll(before))
            t.verify(refills, !admitted || due === "either", {
              ...evidence,
              expected: `a call refused after ${after}`,
              warnOnly: lenient,
            });
          return { at, admitted };
        }
      },
    });
  },
);

/** Such as "10 of 12 admitted 61 s before and 3 of 3 just now". */
function historyText(at: number, before: readonly LimitedCall[]): string {
  const spells = [...Map.groupBy(before, (call) => call.at)].map(([then, calls]) => {
    const admitted = calls.filter((one) => one.admitted).length;
    return `${admitted} of ${calls.length} admitted ${then === at ? "just now" : `${at - then} s before`}`;
  });
  return spells.length === 0 ? "none" : spells.join(", ");
}
