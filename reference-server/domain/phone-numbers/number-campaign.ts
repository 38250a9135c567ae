import type { Choices } from "../../../generated/choices.ts";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { eventType } from "../../../generated/events.ts";
import type { Event } from "../events/event.ts";
import type { Brand } from "../registration/brand.ts";
import { type Campaign, refuseUnverified } from "../registration/campaign.ts";
import type { PhoneNumber } from "./phone-number.ts";

/** Null when a number can send for this campaign. */
export function refuseCampaign(campaign: Campaign, brand: Brand) {
  if (campaign.status !== constants.activeCampaign) return refuse.CampaignNotActive("The campaign is not active.");
  return refuseUnverified(brand);
}

/** Null when a campaign can be attached to the number, or detached from it. */
export const refuseUnassigned = ({ status }: Pick<PhoneNumber, "status">) =>
  status === constants.assignedNumber ? null : refuse.NumberNotAssigned("The number is not assigned.");

/** Null when the campaign is another than the number sends for (open question Q111). */
export const refuseAttached = ({ campaignId }: Pick<PhoneNumber, "campaignId">, campaign: string) =>
  campaignId === campaign ? refuse.Conflict("The number sends for that campaign already.") : null;

/** Null when the number sends for a campaign, which can be detached (open question Q111). */
export const refuseDetached = ({ campaignId }: Pick<PhoneNumber, "campaignId">) =>
  campaignId === null ? refuse.Conflict("The number sends for no campaign.") : null;

/** The event that tells of a number that is to send for another campaign than before; null where none is sent. */
export function campaignAssignedEvent(
  { id, organizationId, phoneNumber, campaignId }: PhoneNumber,
  before: string | null,
  event: Pick<Event, "id" | "createdAt">,
  choices: Pick<Choices, "keyEvents">,
): Event | null {
  if (campaignId === null || campaignId === before || choices.keyEvents === "not-sent") return null;
  const data = { id, phone_number: phoneNumber, campaign_id: campaignId };
  return { ...event, organizationId, type: eventType.phoneNumberCampaignAssigned, data };
}
