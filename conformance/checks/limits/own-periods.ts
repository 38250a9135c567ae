import { type BucketName, buckets } from "../../../generated/limits.ts";
import type { RuleId } from "../../../generated/rules.ts";
import { type Check, check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { attemptsToErase } from "../../steps/contact.ts";
import { attemptsToSend } from "../../steps/message.ts";
import { roomyBucket } from "../../steps/roomy-bucket.ts";
import { blockUnlessThrottled, isThrottled } from "../../steps/throttle.ts";

/** Calls that draw on a bucket which keeps the contract's size. */
interface Limited {
  readonly id: string;
  /** Such as "erasures". */
  readonly noun: string;
  readonly rule: RuleId;
  readonly size: { readonly capacity: number; readonly periodSeconds: number };
  /** Others that the calls, or what they need, draw from. */
  readonly roomy: readonly BucketName[];
  readonly ready: (t: CheckContext, as: Credential) => Promise<(index: number) => Promise<Exchange>>;
}

const { contactErasures, messageSendsPerMinute } = buckets;

/** Millionths of a US dollar: so little that all sends are made on the first tier. */
const littleSpent = 1_000_000;

const limited: readonly Limited[] = [
  {
    id: "erasures",
    noun: "erasures",
    rule: "LIM-19",
    size: contactErasures,
    roomy: ["consentRecords"],
    ready: attemptsToErase,
  },
  {
    id: "sends",
    noun: "sends",
    rule: "LIM-02",
    size: { capacity: messageSendsPerMinute.tiers[0].capacity, periodSeconds: messageSendsPerMinute.periodSeconds },
    roomy: ["messageSendsPerSecond"],
    ready: attemptsToSend,
  },
];

/** Parts of a period after each of which calls are made again, within that period. */
const parts = 4;

/**
 * Limits whose size is the contract's and no sandbox's: that of its own may be kept in another place than one that is set.
 * Within a period no lawful way to keep a limit admits more than two windows hold, and after two none remembers anything.
 */
export const ownPeriods: readonly Check[] = limited.map(({ id, noun, rule, size, roomy, ready }) => {
  const { capacity, periodSeconds } = size;
  const triesInPart = Math.ceil(capacity / 2);
  return check({
    id: `limits.own-periods.${id}`,
    title: `Where nobody has set another limit, ${noun} that it refused are admitted as its period says, and no sooner`,
    rules: [rule],
    kind: "scenario",
    needs: ["manual-clock", "limit-override", "lifetime-spend"],
    effects: ["creates", "spends", "exhausts"],
    draws: {},
    async run(t) {
      const limits = Object.fromEntries(roomy.map((bucket) => [bucket, roomyBucket]));
      const tenant = await t.tenant({ clock: "manual", lifetime_spend_micros: littleSpent, limits });
      const call = await ready(t, await tenant.main());
      let admitted = 0;
      let last: Exchange | null = null;
      const calls = async (most: number): Promise<void> => {
        for (let count = 0; count < most; count += 1) {
          const exchange = await call(count);
          if (isSuccess(exchange)) admitted += 1;
          blockUnlessThrottled(isSuccess(exchange) ? null : exchange);
          last = exchange;
          // While time stands still, there is no more room.
          if (isThrottled(exchange)) return;
        }
      };
      await calls(capacity + 1);
      for (let part = 1; part < parts; part += 1) {
        await tenant.advance(periodSeconds / parts, "a part of the period of a limit");
        await calls(triesInPart);
      }
      t.verify(rule, admitted <= 2 * capacity, {
        expected: `no more than ${2 * capacity} ${noun} admitted within ${periodSeconds} s, as two windows hold`,
        actual: `${admitted} admitted`,
        exchanges: last === null ? [] : [last],
      });
      await tenant.advance(2 * periodSeconds + 1, "a full bucket");
      const before = admitted;
      await calls(capacity);
      t.verify(rule, admitted - before === capacity, {
        expected: `${capacity} ${noun} admitted after ${2 * periodSeconds + 1} s without any`,
        actual: `${admitted - before} admitted${last === null ? "" : `, the last one ${summaryOf(last)}`}`,
        exchanges: last === null ? [] : [last],
      });
    },
  });
});
