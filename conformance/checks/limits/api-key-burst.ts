import { buckets } from "../../../generated/limits.ts";
import { check } from "../../context/check.ts";
import { errorOf, headerOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { blockUnlessThrottled, burst, create, fillBucket, isThrottled, judgeRetryAfter } from "../../steps/throttle.ts";
import { admittedAfterWait } from "./admitted-after-wait.ts";

const size = buckets.apiKeyWrites;
const { capacity, periodSeconds } = size;

/** Periods over which a refill is watched, and creations tried in each: half as many again as it admits. */
const periods = 10;
const triesInPeriod = Math.ceil(capacity * 1.5);

/** The scripted burst on the bucket of creations and rotations. */
export const apiKeyBurst = check({
  id: "limits.api-key-burst",
  title: "A full bucket admits its capacity, refuses the next creation and admits one again after Retry-After",
  rules: ["KEYC-29", "KEYC-30", "KEYC-31", "KEYC-33", "LIM-14"],
  kind: "scenario",
  needs: ["full-bucket"],
  effects: ["creates", "exhausts"],
  draws: { apiKeyWrites: capacity + 3 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const alone = tenant.fresh;
    const main = await tenant.main();
    const full = await fillBucket(tenant, alone, size);
    const { admitted, refusedEarly, beyond } = await burst(() => create(t, main), main, size);
    blockUnlessThrottled(refusedEarly);
    t.verify("KEYC-29", refusedEarly === null, {
      expected: `${capacity} creations admitted`,
      actual: refusedEarly
        ? `${admitted.length} admitted, and ${summaryOf(refusedEarly)}`
        : `${admitted.length} admitted`,
      exchanges: refusedEarly ? [refusedEarly] : [],
      warnOnly: !full,
    });
    t.refused("KEYC-30", beyond, "RateLimited");
    if (!isThrottled(beyond)) throw new Blocked("no creation was refused", "see KEYC-30 first", "server");

    const header = headerOf(beyond, "Retry-After");
    const details = errorOf(beyond)?.details;
    t.verify("KEYC-31", /^[1-9]\d*$/.test(header ?? "") && details === undefined, {
      expected: "Retry-After, positive whole seconds, and no error.details",
      actual: `Retry-After ${header ?? "missing"}, details ${JSON.stringify(details) ?? "none"}`,
      exchanges: [beyond],
    });
    judgeRetryAfter(t, beyond, size, { warnOnly: false });
    await admittedAfterWait(t, "KEYC-33", () => create(t, main), { beyond, tenant, full });
  },
});

/** A limit of so many in a period is that many again after the period, however it is kept. */
export const refill = check({
  id: "limits.refill",
  title:
    "A used-up bucket is full again after two periods without calls, and never refills faster than its period says",
  rules: ["KEYC-29", "KEYC-36"],
  kind: "scenario",
  needs: ["manual-clock"],
  effects: ["creates", "exhausts"],
  draws: { apiKeyWrites: 2 * (capacity + 1) + periods * triesInPeriod },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    if (!tenant.manualClock) throw new Blocked("time runs by itself", "give the kit a sandbox");
    const alone = tenant.fresh;
    const main = await tenant.main();
    await fillBucket(tenant, alone, size);
    const first = await burst(() => create(t, main), main, size);
    if (!isThrottled(first.beyond)) throw new Blocked("no creation was refused", "see KEYC-30 first", "server");
    // After one period alone, windows that overlap still count what was drawn before.
    await tenant.advance(2 * periodSeconds, "a full bucket");
    const { refusedEarly, admitted } = await burst(() => create(t, main), main, size);
    blockUnlessThrottled(refusedEarly);
    t.verify("KEYC-29", refusedEarly === null, {
      expected: `${capacity} creations admitted after ${2 * periodSeconds} s without any`,
      actual: refusedEarly ? `${admitted.length} admitted, and ${summaryOf(refusedEarly)}` : "all",
      exchanges: refusedEarly ? [refusedEarly] : [],
      warnOnly: !alone,
    });

    let count = 0;
    for (let i = 0; i < periods * triesInPeriod; i += 1) {
      await tenant.advance(periodSeconds / triesInPeriod, "time in which a bucket refills");
      if (isSuccess(await create(t, main))) count += 1;
    }
    // What the last window before them still had comes on top.
    const most = (periods + 1) * capacity;
    t.verify("KEYC-36", count <= most, {
      expected: `no more than ${most} creations admitted in ${periods * periodSeconds} s`,
      actual: `${count} admitted`,
      exchanges: [],
    });
  },
});
