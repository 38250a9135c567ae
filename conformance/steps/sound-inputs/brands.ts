import { brandBody, registerBrand } from "../brand.ts";
import type { SoundInputs } from "../input-maker.ts";

export const soundInputs: SoundInputs<"brands"> = {
  // Each costs what a brand costs.
  createBrand: { effects: ["spends"], make: async (t) => ({ body: brandBody(t) }) },
  getBrand: {
    effects: ["spends"],
    make: async (t, tenant) => ({ path: { id: (await registerBrand(t, await tenant.main())).id } }),
  },
};
