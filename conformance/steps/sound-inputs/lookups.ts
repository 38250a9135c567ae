import type { SoundInputs } from "../input-maker.ts";
import { makeLookup } from "../lookup.ts";

export const soundInputs: SoundInputs<"lookups"> = {
  createLookup: {
    make: async (t) => ({ body: t.shapeRequest("createLookup", { phone_number: t.numbers("united_states")[0] }) }),
  },
  getLookup: {
    make: async (t, tenant) => ({ path: { lookup_id: (await makeLookup(t, await tenant.main())).id } }),
  },
};
