import { refuse } from "../../generated/error-rows.ts";
import type { SandboxRegistrationHandlers } from "../../generated/server/sandbox-registration.ts";
import { timeOf } from "../domain/clock.ts";
import { newEventId } from "../domain/events/new-event.ts";
import { advanceCampaign, concludeBrand, type RegistrationsParts } from "../routes/conclude-registrations.ts";
import type { SandboxCaller } from "./sandbox-path.ts";
import { unknownOrganization } from "./unknown-organization.ts";

export function sandboxRegistrationHandlers({
  store,
  world,
  choices,
}: RegistrationsParts): SandboxRegistrationHandlers<SandboxCaller> {
  const newId = () => newEventId(world);
  return {
    async verifyBrand({ path, body }) {
      const now = world.now();
      return store.atomically(path.id, async (tx) => {
        if (tx.organization === null) return unknownOrganization();
        const brand = await tx.brands.find(path.brand_id);
        if (brand === null) return refuse.SandboxNotFound("The organization has no such brand.");
        const at = timeOf(tx.organization.clock, now);
        const { id, identityStatus } = await concludeBrand(tx, brand, body.verdict, at, newId, choices);
        return { id, identity_status: identityStatus };
      });
    },

    async moveCampaign({ path, body }) {
      const now = world.now();
      return store.atomically(path.id, async (tx) => {
        if (tx.organization === null) return unknownOrganization();
        const campaign = await tx.campaigns.find(path.campaign_id);
        if (campaign === null) return refuse.SandboxNotFound("The organization has no such campaign.");
        const at = timeOf(tx.organization.clock, now);
        const moved = await advanceCampaign(tx, campaign, body.to, at, newId, choices);
        if (moved === null) return refuse.IllegalTransition(`No move leads from ${campaign.status} to ${body.to}.`);
        return { id: moved.id, status: moved.status };
      });
    },
  };
}
