import type { Choices } from "../../../generated/choices.ts";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { eventType } from "../../../generated/events.ts";
import { bounds } from "../../../generated/limits.ts";
import type { BrandVerdict } from "../../../generated/models/sandbox-registration.ts";
import type { Event } from "../events/event.ts";
import type { Organization } from "../organizations/organization.ts";
import { type LedgerEntry, microsInCent, type Wallet } from "../wallet/wallet.ts";

/** Whom an organization's messages are from. */
export interface Brand {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly identityStatus: IdentityStatus;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

const { verifiedBrand, vettedBrand } = constants;

const identityStatuses = ["SELF_DECLARED", "UNVERIFIED", verifiedBrand, vettedBrand] as const;

export type IdentityStatus = (typeof identityStatuses)[number];

export const isIdentityStatus = (text: string): text is IdentityStatus =>
  identityStatuses.some((status) => status === text);

export const newBrand = (wish: Omit<Brand, "identityStatus">): Brand => ({ ...wish, identityStatus: "SELF_DECLARED" });

/** When its verification ends, in milliseconds since 1970. */
export const verifiedAt = ({ createdAt }: Brand, choices: Pick<Choices, "brandVerificationSeconds">): number =>
  createdAt + Number(choices.brandVerificationSeconds) * 1_000;

/** What the verification comes to in this server, which asks nobody. */
export const simulatedVerdict: BrandVerdict = verifiedBrand;

/** The status of a brand whose verification came to this. */
export const statusAfter = (verdict: BrandVerdict): IdentityStatus => (verdict === "failed" ? "UNVERIFIED" : verdict);

/** Whether it may have campaigns. */
export const isVerified = ({ identityStatus: status }: Brand): boolean =>
  status === verifiedBrand || status === vettedBrand;

/** Millionths of a US dollar. */
const price = bounds.brandRegistrationCents * microsInCent;

/** What is charged for a brand. */
export const brandEntry = ({ id, createdAt }: Brand): LedgerEntry => ({
  kind: "charge",
  amount: price,
  reference: `brand ${id}`,
  at: createdAt,
});

/** Null when the organization may have one more brand beside so many, and can pay for it. */
export function refuseBrand(
  { isReseller }: Pick<Organization, "isReseller">,
  brands: number,
  { balance }: Pick<Wallet, "balance">,
) {
  if (!isReseller && brands >= bounds.brandsWithoutResellerMode)
    return refuse.ResellerRequired("The organization has a brand. Turn reseller mode on to register others.");
  if (balance < price)
    return refuse.InsufficientCredit("The wallet does not cover the registration of a brand. Top it up first.");
  return null;
}

/** One answer for an unknown brand and another organization's. */
export const brandNotFound = () => refuse.NotFound("There is no such brand.");

/** The event that tells what the verification came to; null where none is sent. */
export function verdictEvent(
  brand: Brand,
  event: Pick<Event, "id" | "createdAt">,
  choices: Pick<Choices, "keyEvents">,
): Event | null {
  if (choices.keyEvents === "not-sent") return null;
  const { id, organizationId, name, identityStatus: identity_status } = brand;
  const type = isVerified(brand) ? eventType.brandVetted : eventType.brandVettingFailed;
  return { ...event, organizationId, type, data: { id, name, identity_status } };
}
