import { buckets } from "../../../generated/limits.ts";
import { check } from "../../context/check.ts";
import { summaryOf } from "../../exchange/exchange.ts";
import { retryAfterIn } from "../../exchange/retry-after.ts";
import { attemptErase, attemptsToErase, erase } from "../../steps/contact.ts";
import { optIn } from "../../steps/message.ts";
import { roomForOne } from "../../steps/room-for-one.ts";
import { roomyBucket } from "../../steps/roomy-bucket.ts";
import { blockUnlessThrottled, burst, isThrottled, judgeRetryAfter } from "../../steps/throttle.ts";
import { type Refusable, withoutEffect } from "../../steps/without-effect.ts";
import { admittedAfterWait } from "./admitted-after-wait.ts";
import { loneWait } from "./lone-wait.ts";

const size = buckets.contactErasures;
const { capacity } = size;

/** As many erasures as the document names, and one more. */
export const erasureBurst = check({
  id: "limits.erasure-burst",
  title: "A new organization erases as many contacts in an hour as the contract says, and the next is refused",
  rules: ["LIM-14", "LIM-19", "LIM-22"],
  kind: "scenario",
  needs: ["manual-clock", "limit-override"],
  effects: ["creates", "exhausts"],
  draws: {},
  async run(t) {
    // Consents are captured before, for which there must be room; the limit on erasures is left as it is.
    const tenant = await t.tenant({ clock: "manual", limits: { consentRecords: roomyBucket } });
    const main = await tenant.main();
    const call = await attemptsToErase(t, main);
    const { admitted, refusedEarly, beyond } = await burst(call, main, size);
    blockUnlessThrottled(refusedEarly);
    t.verify("LIM-19", refusedEarly === null, {
      expected: `${capacity} erasures admitted at once`,
      actual: `${admitted.length} admitted${refusedEarly === null ? "" : `, and ${summaryOf(refusedEarly)}`}`,
      exchanges: refusedEarly === null ? [] : [refusedEarly],
    });
    t.verify("LIM-19", isThrottled(beyond) && retryAfterIn(beyond) !== null, {
      expected: `erasure ${capacity + 1} refused for the limit, with Retry-After`,
      actual: summaryOf(beyond),
      exchanges: [beyond],
    });
    if (!isThrottled(beyond)) return;
    judgeRetryAfter(t, beyond, size, { warnOnly: false });
    await admittedAfterWait(t, "LIM-22", call, { beyond, tenant, full: true });
  },
});

/** An erasure more than the limit has room for. */
const secondErasure: Refusable = {
  operation: "eraseContact",
  needs: ["limit-override"],
  effects: ["creates", "exhausts"],
  draws: {},
  async begin(t) {
    const tenant = await roomForOne(t, "contactErasures");
    const main = await tenant.main();
    const [one, other] = t.numbers("erased");
    for (const number of [one, other]) await optIn(t, main, number);
    await erase(t, main, one);
    return { tenant, send: () => attemptErase(t, main, other) };
  },
};

/** What it leaves behind. */
export const throttledErasure = withoutEffect({ ...secondErasure, row: "RateLimited" });

export const erasureWait = loneWait("LIM-22", secondErasure);
