import type { SoundInputs } from "../input-maker.ts";
import { optIn } from "../message.ts";

export const soundInputs: SoundInputs<"contacts"> = {
  // Of somebody who is on file, since who is not may be unknown.
  eraseContact: {
    draws: { consentRecords: 1 },
    async make(t, tenant) {
      const [erased] = t.numbers("erased");
      await optIn(t, await tenant.main(), erased);
      return { path: { contact_number: erased } };
    },
  },
};
