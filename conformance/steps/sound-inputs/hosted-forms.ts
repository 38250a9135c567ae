import { hostedFormBody } from "../hosted-form.ts";
import type { SoundInputs } from "../input-maker.ts";

export const soundInputs: SoundInputs<"hosted-forms"> = {
  createHostedForm: { make: async (t) => ({ body: hostedFormBody(t) }) },
};
