import { buckets } from "../../../generated/limits.ts";
import { organizationState } from "../../arrangements/organization-state.ts";
import { check } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { judgeConcurrentCalls } from "../../steps/concurrent-calls.ts";
import { leftAsItWas } from "../../steps/effect-of.ts";
import { readScope } from "../../steps/grantable.ts";
import { idOf } from "../../steps/own-key.ts";
import { create, fillBucket, isThrottled } from "../../steps/throttle.ts";

const size = buckets.apiKeyWrites;
const { capacity } = size;

/** A bucket counts exactly, however many calls arrive at once. */
export const concurrentBurst = check({
  id: "limits.concurrent-burst",
  title: "A burst of concurrent creations is admitted exactly as often as the bucket has room",
  rules: ["KEYC-29", "KEYC-30"],
  kind: "scenario",
  needs: ["manual-clock"],
  effects: ["creates", "exhausts"],
  draws: { apiKeyWrites: capacity * 4 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    if (!tenant.manualClock)
      throw new Blocked(
        "time runs, so a bucket refills during the burst",
        "give the kit a sandbox, or an advance hook whose clock is manual",
      );
    const alone = tenant.fresh;
    const main = await tenant.main();
    const full = await fillBucket(tenant, alone, size);
    const exchanges = await Promise.all(Array.from({ length: capacity * 4 }, () => create(t, main)));
    judgeConcurrentCalls(t, {
      exchanges,
      noun: "creations",
      room: capacity,
      isRefusal: isThrottled,
      admits: "KEYC-29",
      refuses: "KEYC-30",
      warnOnly: { tooFew: !full, tooMany: false },
    });
  },
});

/** Rotations that come beside as many creations: more calls than the bucket has room for, and fewer of either. */
const ofEach = capacity - 2;

/** Creations and rotations are counted together, however many of them arrive at once. */
export const concurrentMixedBurst = check({
  id: "limits.concurrent-mixed-burst",
  title: "Creations and rotations that arrive at once are admitted exactly as often as their bucket has room",
  rules: ["KEYC-32"],
  kind: "scenario",
  needs: ["manual-clock"],
  effects: ["creates", "exhausts"],
  draws: { apiKeyWrites: 3 * ofEach },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    if (!tenant.manualClock)
      throw new Blocked(
        "time runs, so a bucket refills during the burst",
        "give the kit a sandbox, or an advance hook whose clock is manual",
      );
    const alone = tenant.fresh;
    const main = await tenant.main();
    // Each is rotated once: of two rotations of one key at once, one may find it gone.
    const ids: string[] = [];
    while (ids.length < ofEach) ids.push(idOf(await tenant.keyWith([readScope], { unused: true })));
    const full = await fillBucket(tenant, alone, size);
    const exchanges = await Promise.all(
      ids.flatMap((id) => [t.attempt("rotateApiKey", { path: { id } }, main), create(t, main)]),
    );
    judgeConcurrentCalls(t, {
      exchanges,
      noun: "creations and rotations",
      room: capacity,
      isRefusal: isThrottled,
      admits: "KEYC-32",
      refuses: "KEYC-32",
      warnOnly: { tooFew: !full, tooMany: false },
    });
  },
});

/** A throttled creation leaves nothing behind. */
export const throttledWithoutEffect = check({
  id: "limits.throttled-without-effect",
  title: "A throttled creation makes no key",
  rules: ["KEYC-34"],
  kind: "scenario",
  needs: ["manual-clock", "state"],
  effects: ["creates", "exhausts"],
  draws: { apiKeyWrites: capacity + 3 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const empty = await tenant.arrange(organizationState, {});
    for (let i = 0; i < capacity; i += 1) t.control(await create(t, main), "a creation from a full bucket");
    const before = await tenant.arrange(organizationState, {});
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
    const after = await tenant.arrange(organizationState, {});
    leftAsItWas(t, "KEYC-34", { before, after }, ...refused);
  },
});
