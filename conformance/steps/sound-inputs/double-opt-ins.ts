import type { Tenant } from "../../provision/tenant.ts";
import { doubleOptInBody } from "../double-opt-in.ts";
import type { SoundInputs } from "../input-maker.ts";

/** How many inputs each organization was given. */
const made = new WeakMap<Tenant, number>();

export const soundInputs: SoundInputs<"double-opt-ins"> = {
  // Each asks somebody by a text.
  requestDoubleOptIn: {
    effects: ["sends"],
    async make(t, tenant) {
      // In turn, since to ask somebody once more may be nothing new.
      const turn = made.get(tenant) ?? 0;
      made.set(tenant, turn + 1);
      const numbers = t.numbers("silent");
      return { body: doubleOptInBody(t, numbers[turn % numbers.length]) };
    },
  },
};
