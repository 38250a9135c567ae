import type { Choices } from "../../generated/choices.ts";
import { constants } from "../../generated/constants.ts";
import type { BrandVerdict, CampaignStage } from "../../generated/models/sandbox-registration.ts";
import type { ConcludeRegistration } from "../delivery/conclude-registration.ts";
import { newEventId } from "../domain/events/new-event.ts";
import { type Brand, simulatedVerdict, statusAfter, verdictEvent } from "../domain/registration/brand.ts";
import { type Campaign, campaignEvents, wayTo } from "../domain/registration/campaign.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";
import type { UnitOfWork } from "../store/unit-of-work.ts";

export interface RegistrationsParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
}

/** Ends verifications of brands and reviews of campaigns whose time has come, each once. */
export const concludeRegistrations =
  ({ store, world, choices }: RegistrationsParts): ConcludeRegistration =>
  async (subject, now) => {
    const newId = () => newEventId(world);
    switch (subject.kind) {
      case "brand":
        await store.atomically(subject.brand.organizationId, async (tx) => {
          const brand = await tx.brands.find(subject.brand.id);
          // It may have ended by another process, or by the sandbox, since it was claimed.
          if (brand?.identityStatus === subject.brand.identityStatus)
            await concludeBrand(tx, brand, simulatedVerdict, now, newId, choices);
        });
        return;
      case "campaign":
        await store.atomically(subject.campaign.organizationId, async (tx) => {
          const campaign = await tx.campaigns.find(subject.campaign.id);
          if (campaign?.status === subject.campaign.status)
            await advanceCampaign(tx, campaign, constants.activeCampaign, now, newId, choices);
        });
    }
  };

/** Has a brand's verification come to this, and tells of it. */
export async function concludeBrand(
  tx: UnitOfWork,
  brand: Brand,
  verdict: BrandVerdict,
  now: number,
  newId: () => string,
  choices: Choices,
): Promise<Brand> {
  const concluded: Brand = { ...brand, identityStatus: statusAfter(verdict) };
  await tx.brands.conclude(concluded);
  const event = verdictEvent(concluded, { id: newId(), createdAt: now }, choices);
  if (event !== null) await tx.enqueue(event, "subscribed");
  return concluded;
}

/** Takes a campaign on to a stage, and tells of each that it comes to; null when no way leads there. */
export async function advanceCampaign(
  tx: UnitOfWork,
  campaign: Campaign,
  stage: CampaignStage,
  now: number,
  newId: () => string,
  choices: Choices,
): Promise<Campaign | null> {
  const way = wayTo(campaign.status, stage);
  if (way === null) return null;
  const steps = way.map((status): Campaign => ({ ...campaign, status }));
  const last = steps.at(-1) ?? campaign;
  await tx.campaigns.settle(last);
  for (const event of steps.flatMap((step) => campaignEvents(step, now, newId, choices)))
    await tx.enqueue(event, "subscribed");
  return last;
}
