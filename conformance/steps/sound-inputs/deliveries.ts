import type { SoundInputs } from "../input-maker.ts";
import { ownDelivery } from "../own-delivery.ts";

export const soundInputs: SoundInputs<"deliveries"> = {
  listDeliveryAttempts: {
    make: async () => ({}),
    add: async (t, tenant) => void (await ownDelivery(t, await tenant.main())),
    addDraws: {},
  },
  replayDelivery: {
    make: async (t, tenant) => ({ path: { id: (await ownDelivery(t, await tenant.main())).id }, body: {} }),
  },
};
