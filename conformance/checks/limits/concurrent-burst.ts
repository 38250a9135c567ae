import type { Check } from "../../check/check.ts";
import { Blocked } from "../../check/verdict.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { blockUnlessThrottled, capacity, create, fillBucket, isThrottled } from "./throttle.ts";

/** A bucket counts exactly, however many calls arrive at once. */
export const concurrentBurst: Check = {
  id: "limits.concurrent-burst",
  title: "A burst of concurrent creations is admitted exactly as often as the bucket has room",
  rules: ["KEYC-29", "KEYC-30"],
  kind: "scenario",
  needs: ["manual-clock"],
  effects: ["creates", "exhausts"],
  draws: capacity * 4,
  async run(t) {
    const tenant = await t.tenant({ manualClock: true });
    if (!tenant.manualClock)
      throw new Blocked(
        "time runs, so a bucket refills during the burst",
        "give the kit a sandbox, or an advance hook whose clock is manual",
      );
    const alone = tenant.fresh;
    const main = await tenant.main();
    const full = await fillBucket(tenant, alone);
    const exchanges = await Promise.all(Array.from({ length: capacity * 4 }, () => create(t, main)));
    const admitted = exchanges.filter(isSuccess);
    const strange = exchanges.filter((exchange) => !isSuccess(exchange) && !isThrottled(exchange)).slice(0, 1);
    if (admitted.length === 0) blockUnlessThrottled(strange[0] ?? null);
    t.verify("KEYC-29", admitted.length >= capacity, {
      expected: `${capacity} of ${exchanges.length} concurrent creations admitted`,
      actual: `${admitted.length} admitted`,
      exchanges: exchanges.filter((e) => !isSuccess(e)).slice(0, 1),
      warnOnly: !full,
    });
    t.verify("KEYC-30", admitted.length <= capacity && strange.length === 0, {
      expected: `no more than ${capacity} of ${exchanges.length} concurrent creations admitted, the others throttled`,
      actual: [`${admitted.length} admitted`, ...strange.map(summaryOf)].join(", "),
      exchanges: strange,
    });
  },
};

/** A throttled creation leaves nothing behind. */
export const throttledWithoutEffect: Check = {
  id: "limits.throttled-without-effect",
  title: "A throttled creation makes no key",
  rules: ["KEYC-34"],
  kind: "scenario",
  needs: ["manual-clock", "state"],
  effects: ["creates", "exhausts"],
  draws: capacity + 3,
  async run(t) {
    const tenant = await t.tenant({ manualClock: true });
    const main = await tenant.main();
    const empty = await tenant.state();
    for (let i = 0; i < capacity; i += 1) t.control(await create(t, main), "a creation from a full bucket");
    const before = await tenant.state();
    // A digest that a new key does not change would prove nothing by standing still.
    if (before.digest === empty.digest) {
      throw new Blocked(
        "the sandbox's digest does not change with a new key",
        "check the sandbox of the target",
        "environment",
      );
    }
    const refused = [await create(t, main), await create(t, main)];
    if (!refused.every(isThrottled)) throw new Blocked("no creation was refused", "see KEYC-30 first", "server");
    const after = await tenant.state();
    t.equal("KEYC-34", "the organization's state", after, before, ...refused);
  },
};
