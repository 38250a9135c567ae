import type { Choices } from "../../../generated/choices.ts";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { eventType } from "../../../generated/events.ts";
import type { CampaignStage } from "../../../generated/models/sandbox-registration.ts";
import type { Event } from "../events/event.ts";
import { type Brand, isVerified } from "./brand.ts";

/** What a brand's messages are for. */
export interface Campaign {
  readonly id: string;
  readonly organizationId: string;
  readonly brandId: string;
  readonly description: string;
  readonly status: CampaignStatus;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

const { pendingCampaign, activeCampaign, expiredCampaign } = constants;

const campaignStatuses = [pendingCampaign, activeCampaign, "REJECTED", expiredCampaign] as const;

export type CampaignStatus = (typeof campaignStatuses)[number];

export const isCampaignStatus = (text: string): text is CampaignStatus =>
  campaignStatuses.some((status) => status === text);

export const newCampaign = (wish: Omit<Campaign, "status">): Campaign => ({ ...wish, status: pendingCampaign });

/** When the carriers have looked at it, in milliseconds since 1970. */
export const reviewedAt = ({ createdAt }: Campaign, choices: Pick<Choices, "campaignReviewSeconds">): number =>
  createdAt + Number(choices.campaignReviewSeconds) * 1_000;

/** Null when the brand may have campaigns. */
export const refuseUnverified = (brand: Brand) =>
  isVerified(brand) ? null : refuse.BrandNotVerified("The identity of the brand is not verified.");

/** One answer for an unknown campaign and another organization's. */
export const campaignNotFound = () => refuse.NotFound("There is no such campaign.");

const statusAt = (stage: CampaignStage): CampaignStatus => (stage === "rejected" ? "REJECTED" : stage);

/** To which statuses each leads, by the ways that there are. */
const next: Readonly<Record<CampaignStatus, readonly CampaignStatus[]>> = {
  [pendingCampaign]: [activeCampaign, "REJECTED"],
  [activeCampaign]: [expiredCampaign],
  REJECTED: [],
  [expiredCampaign]: [],
};

/** The statuses on the way from one to that stage, which is the last; null when there is no way. */
export function wayTo(from: CampaignStatus, stage: CampaignStage): readonly CampaignStatus[] | null {
  const to = statusAt(stage);
  if (from === to) return [];
  for (const step of next[from]) {
    const rest = wayTo(step, stage);
    if (rest !== null) return [step, ...rest];
  }
  return null;
}

/** Types of the events that tell of a campaign that came to a status: one that is approved is shared with the carriers. */
const typesAt: Readonly<Record<CampaignStatus, readonly Event["type"][]>> = {
  [pendingCampaign]: [],
  [activeCampaign]: [eventType.campaignApproved, eventType.campaignShared],
  REJECTED: [eventType.campaignRejected],
  [expiredCampaign]: [],
};

/** The events that tell of a campaign with the status that it has come to. */
export function campaignEvents(
  { id, organizationId, brandId, status }: Campaign,
  createdAt: number,
  newEventId: () => string,
  choices: Pick<Choices, "keyEvents">,
): readonly Event[] {
  if (choices.keyEvents === "not-sent") return [];
  const data = { id, brand_id: brandId, status };
  return typesAt[status].map((type) => ({ id: newEventId(), organizationId, type, data, createdAt }));
}
