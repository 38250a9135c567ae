import type { Choices } from "../../generated/choices.ts";
import type * as wire from "../../generated/models/campaigns.ts";
import type { CampaignsHandlers } from "../../generated/server/campaigns.ts";
import { timestamp } from "../domain/clock.ts";
import { type Caller, callerTime } from "../domain/organizations/caller.ts";
import { brandNotFound } from "../domain/registration/brand.ts";
import {
  type Campaign,
  campaignNotFound,
  newCampaign,
  refuseUnverified,
  reviewedAt,
} from "../domain/registration/campaign.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";

export interface CampaignsParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
}

export function campaignsHandlers({ store, world, choices }: CampaignsParts): CampaignsHandlers<Caller> {
  const precision = choices.timestampPrecision;
  return {
    async createCampaign({ body: { brand_id: brandId, description } }, caller) {
      const { id: organizationId } = caller.organization;
      const [id, createdAt] = [world.newId(), callerTime(caller, world.now())];
      return store.atomically(organizationId, async (tx) => {
        const brand = await tx.brands.find(brandId.toLowerCase());
        if (brand === null) return brandNotFound();
        const refusal = refuseUnverified(brand);
        if (refusal !== null) return refusal;
        const campaign = newCampaign({ id, organizationId, brandId: brand.id, description, createdAt });
        await tx.campaigns.insert(campaign, reviewedAt(campaign, choices));
        return wireCampaign(campaign, precision);
      });
    },

    async getCampaign({ path }, caller) {
      const campaign = await store.campaign(caller.organization.id, path.id);
      return campaign === null ? campaignNotFound() : wireCampaign(campaign, precision);
    },
  };
}

const wireCampaign = (campaign: Campaign, precision: Choices["timestampPrecision"]): wire.Campaign => ({
  id: campaign.id,
  brand_id: campaign.brandId,
  description: campaign.description,
  status: campaign.status,
  created_at: timestamp(campaign.createdAt, precision),
});
