import { createHash } from "node:crypto";
import { canonicalJson } from "../canonical-json.ts";
import type { Consent } from "../consent/consent.ts";
import type { DoubleOptIn } from "../consent/double-opt-in.ts";
import type { HostedForm } from "../consent/hosted-form.ts";
import type { WebhookEndpoint } from "../endpoints/webhook-endpoint.ts";
import type { ApiKey } from "../keys/api-keys.ts";
import type { MessageStatus } from "../messages/message.ts";
import type { UserNotifications } from "../notifications/notification-settings.ts";
import type { Organization } from "../organizations/organization.ts";
import type { PhoneNumber } from "../phone-numbers/phone-number.ts";
import type { Profile } from "../profiles/profile.ts";
import type { Brand } from "../registration/brand.ts";
import type { Campaign } from "../registration/campaign.ts";
import type { Wallet } from "../wallet/wallet.ts";

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
 * What an organization has, by name: of each kind of thing how many there are, where it can be counted, and a digest of
 * them, where they can change. What a mere request leaves behind (times of last use, levels of buckets, the clock) is not
 * part of it, so that it stays equal when nothing was changed. A delivery that makes its way, and what time takes away,
 * change it.
 */
export function organizationContents({
  organization,
  wallet: { spend, entries },
  keys,
  webhooks: { endpoints, secretHashes, ...webhooks },
  ...resources
}: OrganizationResources): Readonly<Record<string, string>> {
  const { plan, minTopUpCents, autoTopUp, kind, isReseller, quietHours } = organization;
  const counted = {
    keys: keys.map(({ lastUsedAt: _, ...kept }) => kept),
    ...resources,
    endpoints,
    ...webhooks,
    ...{ spend, ledgerEntries: entries },
  };
  return {
    settings: canonicalJson({ plan, minTopUpCents, autoTopUp, kind, isReseller, quietHours }),
    // The first is the present one.
    secrets: listText(secretHashes),
    ...Object.fromEntries(Object.entries(counted).map(([name, value]) => [name, textOf(value)])),
  };
}

/** SHA-256 over what an organization has. */
export const organizationDigest = (resources: OrganizationResources): string =>
  sha256([organizationContents(resources), resources.wallet.balance]);

function textOf(value: unknown): string {
  if (!Array.isArray(value)) return canonicalJson(value);
  // In whatever order they were read.
  return listText(value.map((one) => canonicalJson(one)).toSorted());
}

const listText = (list: readonly string[]): string =>
  list.length === 0 ? "0" : `${list.length} (${sha256(list).slice(0, 16)})`;

const sha256 = (value: unknown): string => createHash("sha256").update(canonicalJson(value)).digest("hex");
