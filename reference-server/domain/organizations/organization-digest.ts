import { createHash } from "node:crypto";
import { canonicalJson } from "../canonical-json.ts";
import type { Consent } from "../consent/consent.ts";
import type { DoubleOptIn } from "../consent/double-opt-in.ts";
import type { HostedForm } from "../consent/hosted-form.ts";
import type { WebhookEndpoint } from "../endpoints/webhook-endpoint.ts";
import type { ApiKey } from "../keys/api-keys.ts";
import type { MessageStatus } from "../messages/message.ts";
import type { UserNotifications } from "../notifications/notification-settings.ts";
import type { PhoneNumber } from "../phone-numbers/phone-number.ts";
import type { Profile } from "../profiles/profile.ts";
import type { Brand } from "../registration/brand.ts";
import type { Campaign } from "../registration/campaign.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { Organization } from "./organization.ts";

/** All that an organization has. */
export interface OrganizationResources {
  readonly organization: Organization;
  readonly wallet: Wallet;
  readonly keys: readonly ApiKey[];
  /** How many there are; none of them ever changes. */
  readonly lookups: number;
  readonly consents: readonly Consent[];
  readonly doubleOptIns: readonly DoubleOptIn[];
  readonly hostedForms: readonly HostedForm[];
  readonly phoneNumbers: readonly PhoneNumber[];
  readonly profiles: readonly Profile[];
  readonly notifications: readonly UserNotifications[];
  /** How many there are; none of them ever changes. */
  readonly legalAcceptances: number;
  /** How many there are of each status. */
  readonly messages: Readonly<Partial<Record<MessageStatus, number>>>;
  readonly brands: readonly Brand[];
  readonly campaigns: readonly Campaign[];
  readonly webhooks: WebhookResources;
}

export interface WebhookResources {
  /** The deleted ones too. */
  readonly endpoints: readonly HashedEndpoint[];
  /** SHA-256 of the secrets that the organization itself signs with, the present one first. */
  readonly secretHashes: readonly string[];
  /** How many there are; none of them ever changes. */
  readonly events: number;
  readonly attempts: number;
  readonly replays: number;
  /** How many are still on their way. */
  readonly deliveries: number;
}

/** An endpoint, and the SHA-256 of its secret. */
export type HashedEndpoint = Omit<WebhookEndpoint, "secret"> & { readonly secretHash: string };

/**
 * SHA-256 over the resources and money of an organization. What a mere request leaves behind (times of last use,
 * levels of buckets, the clock) is not part of it, so that it stays equal when nothing was changed. A delivery that
 * makes its way, and what time takes away, change it.
 */
export function organizationDigest({
  organization,
  wallet,
  keys,
  lookups,
  consents,
  doubleOptIns,
  hostedForms,
  phoneNumbers,
  profiles,
  notifications,
  legalAcceptances,
  messages,
  brands,
  campaigns,
  webhooks,
}: OrganizationResources): string {
  const state = {
    plan: organization.plan,
    minTopUpCents: organization.minTopUpCents,
    autoTopUp: organization.autoTopUp,
    kind: organization.kind,
    isReseller: organization.isReseller,
    quietHours: organization.quietHours,
    wallet,
    lookups,
    consents: consents.toSorted(byNumber),
    doubleOptIns: doubleOptIns.toSorted(byId),
    hostedForms: hostedForms.toSorted(byId),
    phoneNumbers: phoneNumbers.toSorted(byId),
    profiles: profiles.toSorted(byId),
    notifications: notifications.toSorted(byId),
    legalAcceptances,
    messages,
    brands: brands.toSorted(byId),
    campaigns: campaigns.toSorted(byId),
    keys: keys.map(({ lastUsedAt: _, ...kept }) => kept).toSorted(byId),
    webhooks: { ...webhooks, endpoints: webhooks.endpoints.toSorted(byId) },
  };
  return createHash("sha256").update(canonicalJson(state)).digest("hex");
}

const byNumber = (one: Consent, other: Consent): number => (one.phoneNumber < other.phoneNumber ? -1 : 1);

const byId = (one: { readonly id: string }, other: { readonly id: string }): number => (one.id < other.id ? -1 : 1);
