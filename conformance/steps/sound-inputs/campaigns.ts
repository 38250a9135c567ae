import { constants } from "../../../generated/constants.ts";
import { concludedBrand } from "../brand.ts";
import { campaignBody, registerCampaign } from "../campaign.ts";
import type { SoundInputs } from "../input-maker.ts";

export const soundInputs: SoundInputs<"campaigns"> = {
  // Each takes a brand of its own.
  createCampaign: {
    effects: ["spends"],
    async make(t, tenant) {
      const { id } = await concludedBrand(t, await tenant.main(), constants.verifiedBrand);
      return { body: campaignBody(t, id) };
    },
  },
  getCampaign: {
    effects: ["spends"],
    make: async (t, tenant) => ({ path: { id: (await registerCampaign(t, await tenant.main())).id } }),
  },
};
