import type { SoundInputs } from "../input-maker.ts";
import { pictureUpload } from "../media.ts";
import { optIn, sendDraws, sendInput, takeLater, timeAhead } from "../message.ts";

/** A message of its own for each call, to somebody who has opted in. */
const draws = sendDraws(1);

export const soundInputs: SoundInputs<"messages"> = {
  sendMessage: {
    draws: { consentRecords: 1 },
    async make(t, tenant) {
      await optIn(t, await tenant.main());
      return sendInput(t, { scheduled_at: await timeAhead(tenant) });
    },
  },
  uploadMedia: { make: async () => pictureUpload },
  listMessages: {
    make: async () => ({}),
    add: async (t, tenant) => void (await takeLater(t, await tenant.main())),
    addDraws: draws,
  },
  getMessage: {
    make: async (t, tenant) => ({ path: { id: (await takeLater(t, await tenant.main())).id } }),
    draws,
  },
  // A message of its own, since it will be canceled.
  cancelMessage: {
    make: async (t, tenant) => ({ path: { id: (await takeLater(t, await tenant.main())).id } }),
    draws,
  },
};
