import { doubleOptInBody } from "../double-opt-in.ts";
import type { SoundInputs } from "./maker.ts";

export const soundInputs: SoundInputs<"double-opt-ins"> = {
  // Each asks somebody by a text.
  requestDoubleOptIn: { effects: ["sends"], make: async (t) => ({ body: doubleOptInBody(t) }) },
};
