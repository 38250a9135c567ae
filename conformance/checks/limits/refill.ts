import { type BucketName, buckets } from "../../../generated/limits.ts";
import type { RuleId } from "../../../generated/rules.ts";
import { type Check, check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { bucketSize } from "../../context/draws.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { attemptReplay } from "../../steps/replay.ts";
import { blockUnlessThrottled, burst, create, fillBucket, insistence, isThrottled } from "../../steps/throttle.ts";

/** A bucket, and calls that draw from it. */
interface Refilling {
  readonly id: string;
  /** Such as "creations". */
  readonly noun: string;
  readonly bucket: BucketName;
  /** The rule that a full bucket has room, the one that an empty one has not, and that it refills no faster. */
  readonly admits: RuleId;
  readonly refuses: RuleId;
  readonly refills: RuleId;
  /** Makes ready for calls; each is made as asked, whatever the answer. */
  readonly ready: (t: CheckContext, as: Credential) => Promise<() => Promise<Exchange>>;
}

const refilling: readonly Refilling[] = [
  {
    id: "limits.refill",
    noun: "creations",
    bucket: "apiKeyWrites",
    ...{ admits: "KEYC-29", refuses: "KEYC-30", refills: "KEYC-36" },
    ready: async (t, as) => () => create(t, as),
  },
  {
    id: "limits.replays-refill",
    noun: "replays",
    bucket: "deliveryReplays",
    ...{ admits: "WHP-22", refuses: "WHP-23", refills: "WHP-23" },
    async ready(t, as) {
      const { id } = await ownDelivery(t, as);
      return () => attemptReplay(t, as, id);
    },
  },
];

/** Periods over which a refill is watched, and spells of calls in each, with a few more calls in all than it admits. */
const periods = 10;
const spellsInPeriod = 3;

/** Limits of so many in a period: each is that many again after the period, however it is kept. */
export const refillChecks: readonly Check[] = refilling.map(({ id, noun, bucket, admits, refuses, refills, ready }) => {
  const size = bucketSize(bucket);
  const { capacity, periodSeconds } = size;
  const { adjustable } = buckets[bucket];
  const triesInSpell = Math.ceil((capacity * 1.2) / spellsInPeriod);
  const tries = periods * spellsInPeriod * triesInSpell;
  return check({
    id,
    title: `Used-up room for ${noun} is there again after two periods without calls, and never refills faster than its period says`,
    rules: [...new Set([admits, refills])],
    kind: "scenario",
    needs: ["manual-clock"],
    effects: ["creates", "exhausts"],
    draws: { [bucket]: 2 * (capacity + 1 + insistence) + tries },
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      if (!tenant.manualClock) throw new Blocked("time runs by itself", "give the kit a sandbox");
      const alone = tenant.fresh;
      const main = await tenant.main();
      const call = await ready(t, main);
      await fillBucket(tenant, alone, size);
      const first = await burst(call, main, size);
      if (!isThrottled(first.beyond))
        throw new Blocked(`none of ${capacity + 1} ${noun} was refused`, `see ${refuses} first`, "server");
      // After one period alone, windows that overlap still count what was drawn before.
      await tenant.advance(2 * periodSeconds, "a full bucket");
      const { refusedEarly, admitted } = await burst(call, main, size);
      blockUnlessThrottled(refusedEarly);
      t.verify(admits, refusedEarly === null, {
        expected: `${capacity} ${noun} admitted after ${2 * periodSeconds} s without any`,
        actual: refusedEarly ? `${admitted.length} admitted, and ${summaryOf(refusedEarly)}` : "all",
        exchanges: refusedEarly ? [refusedEarly] : [],
        warnOnly: !alone,
      });

      let count = 0;
      for (let i = 0; i < tries; i += 1) {
        if (i % triesInSpell === 0)
          await tenant.advance(periodSeconds / spellsInPeriod, "time in which a bucket refills");
        const one = await call();
        if (isSuccess(one)) count += 1;
        else if (!isThrottled(one))
          throw new Blocked(
            `one of ${tries} ${noun} was answered ${summaryOf(one)}`,
            "see what else bounds them",
            "server",
          );
      }
      // What the last window before them still had comes on top.
      const most = (periods + 1) * capacity;
      t.verify(refills, count <= most, {
        expected: `no more than ${most} ${noun} admitted in ${periods * periodSeconds} s`,
        actual: `${count} admitted`,
        exchanges: [],
        // Others may have changed a limit that can be.
        warnOnly: !alone && adjustable,
      });
    },
  });
});
