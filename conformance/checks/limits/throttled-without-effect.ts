import { buckets } from "../../../generated/limits.ts";
import { organizationState } from "../../arrangements/organization-state.ts";
import { check } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { leftAsItWas } from "../../steps/effect-of.ts";
import { create, isThrottled } from "../../steps/throttle.ts";

const { capacity } = buckets.apiKeyWrites;

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
