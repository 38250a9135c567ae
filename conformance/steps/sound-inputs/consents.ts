import { batchBody, consentBody } from "../consent.ts";
import type { SoundInputs } from "../input-maker.ts";

export const soundInputs: SoundInputs<"consents"> = {
  captureConsent: { make: async (t, tenant) => ({ body: await consentBody(t, tenant) }) },
  captureConsentBatch: {
    make: async (t, tenant) => ({ body: await batchBody(t, tenant, [t.numbers("recipients")[0]]) }),
  },
};
