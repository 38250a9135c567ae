import { doubleOptInBody } from "../double-opt-in.ts";
import type { SoundInputs } from "./maker.ts";

export const soundInputs: SoundInputs<"double-opt-ins"> = {
  requestDoubleOptIn: { make: async (t) => ({ body: doubleOptInBody(t) }) },
};
