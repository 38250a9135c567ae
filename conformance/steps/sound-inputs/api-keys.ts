import { newLabel } from "../../provision/new-label.ts";
import { readScope } from "../grantable.ts";
import type { SoundInputs } from "../input-maker.ts";
import { idOf } from "../own-key.ts";

export const soundInputs: SoundInputs<"api-keys"> = {
  createApiKey: {
    make: async (_t, _tenant, holding) => ({ body: { label: newLabel(), scopes: holding } }),
  },
  getApiKey: {
    sharedKeys: [[readScope]],
    make: async (_, tenant) => ({ path: { id: idOf(await tenant.keyWith([readScope])) } }),
  },
  rotateApiKey: {
    draws: { apiKeyWrites: 1 },
    // A key of its own, since its secret will be replaced.
    make: async (_, tenant) => ({ path: { id: idOf(await tenant.keyWith([readScope], { unused: true })) } }),
  },
};
