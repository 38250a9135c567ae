import type { HostedForm } from "../domain/consent/hosted-form.ts";
import type { OrganizationResources } from "../domain/digest/organization-digest.ts";
import type { KeptAnswer, Retry } from "../domain/idempotency/kept-answer.ts";
import type { ApiKey } from "../domain/keys/api-keys.ts";
import type { JointDraw, LimitLevel } from "../domain/limits/draw.ts";
import type { LineType } from "../domain/lookups/line-type.ts";
import type { Lookup } from "../domain/lookups/lookup.ts";
import type { Message } from "../domain/messages/message.ts";
import type { NotificationsByChannel } from "../domain/notifications/notification-settings.ts";
import type { Organization, OutageKind } from "../domain/organizations/organization.ts";
import type { PhoneNumber } from "../domain/phone-numbers/phone-number.ts";
import type { Profile } from "../domain/profiles/profile.ts";
import type { Brand } from "../domain/registration/brand.ts";
import type { Campaign } from "../domain/registration/campaign.ts";
import type { Window } from "../domain/time-buckets.ts";
import type { Wallet } from "../domain/wallet/wallet.ts";
import type { DueWorkQueue } from "../domain/work/due-work.ts";
import type { WebhookStore } from "./attempts/webhook-store.ts";
import type { FoundMessages, MessagePage } from "./messages/find-messages.ts";
import type { Metric } from "./metrics/metric-sums.ts";
import type { RetentionStore } from "./retention/retention-store.ts";
import type { ServerSecretName } from "./secrets/server-secret.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

/** A signed-in user, without the token. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly tokenHash: string;
  readonly staff: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** What a draw came to; a refused one tells the levels that it met, by bucket. */
export type Drawn =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly levels: ReadonlyMap<string, LimitLevel> };

/**
 * All that the server remembers. Whatever decides on what it reads, and changes it, does so in a unit of work; every
 * other method is one step of its own. No other call, in this or another process, comes in between.
 */
export interface Store {
  readonly webhooks: WebhookStore;
  readonly retention: RetentionStore;
  readonly dueWork: DueWorkQueue;
  /**
   * Has `listener` called after every change by which this store may have made work due at once in real time, in
   * place of what was to be called before.
   */
  onEnqueued(listener: () => void): void;

  /**
   * Does a unit of work on what an organization has: all of it or, when `work` throws, nothing. Units of one organization
   * come one after the other, in whatever process; none waits for one of another organization.
   *
   * Everybody waits for a unit while it works, so it waits for nothing but what it is given: no request, no timer, no
   * other method of the store. What it needs of the world (time, identifiers, secrets) is made before it. It may be done
   * again from its beginning when others come in its way, so it changes nothing outside itself. On SQLite one that
   * waits for something else is undone, and fails.
   */
  atomically<Result>(organizationId: string, work: (tx: UnitOfWork) => Promise<Result>): Promise<Result>;

  insertOrganization(organization: Organization): Promise<void>;
  organization(id: string): Promise<Organization | null>;
  /** Deletes the organization with all that is its own, and gives it as it was last. */
  deleteOrganization(id: string): Promise<Organization | null>;
  /** Uses up one call of a set outage; false when none is left. */
  takeOutage(organizationId: string, kind: OutageKind): Promise<boolean>;
  /** What the organization's lookups of a number are to find; null where nobody has set it. */
  lineType(organizationId: string, phoneNumber: string): Promise<LineType | null>;
  wallet(organizationId: string): Promise<Wallet>;
  /** Null for an unknown lookup and for another organization's. */
  lookup(organizationId: string, id: string): Promise<Lookup | null>;
  /** Whether the organization has done what a metric sums up, ever. */
  hasMetric(organizationId: string, metric: Metric): Promise<boolean>;
  /** What a metric comes to in each of these windows. */
  metricSums(organizationId: string, metric: Metric, windows: readonly Window[]): Promise<readonly number[]>;
  /** Null for an unknown brand and for another organization's. */
  brand(organizationId: string, id: string): Promise<Brand | null>;
  /** Null for an unknown campaign and for another organization's. */
  campaign(organizationId: string, id: string): Promise<Campaign | null>;
  /** Null for an unknown phone number, another organization's and a released one. */
  phoneNumber(organizationId: string, id: string): Promise<PhoneNumber | null>;
  /** Which of these phone numbers somebody holds, whoever it is. */
  heldNumbers(phoneNumbers: readonly string[]): Promise<ReadonlySet<string>>;
  /** The phone numbers that the organization is to find; null where nobody has set them. */
  numberStock(organizationId: string): Promise<readonly string[] | null>;
  /** Null for an unknown message and for another organization's. */
  message(organizationId: string, id: string): Promise<Message | null>;
  /** Null where the user of the organization has not said anything yet. */
  profile(organizationId: string, id: string): Promise<Profile | null>;
  /** What a user of the organization is told of; null where the user has not set anything yet. */
  notifications(organizationId: string, id: string): Promise<NotificationsByChannel | null>;
  /** A page of the organization's messages. */
  messages(organizationId: string, page: MessagePage): Promise<FoundMessages>;
  /** Null when no form has this token, whoever asks. */
  hostedFormByHash(tokenHash: string): Promise<HostedForm | null>;
  /** The answer that is kept for a retry at this time of its organization; null when there is none. */
  keptAnswer(organizationId: string, retry: Retry, now: number): Promise<KeptAnswer | null>;

  key(organizationId: string, id: string): Promise<ApiKey | null>;
  keyByHash(secretHash: string): Promise<{ readonly key: ApiKey; readonly organization: Organization } | null>;
  /** Notes a use unless one is noted after `unlessAfter`. */
  noteKeyUse(id: string, at: number, unlessAfter: number): Promise<void>;
  /** All that the organization has, as it is at one instant. */
  resources(organizationId: string): Promise<OrganizationResources | null>;

  insertSession(session: Session): Promise<void>;
  sessionByHash(tokenHash: string): Promise<{ readonly session: Session; readonly organization: Organization } | null>;

  /** Draws from all buckets or from none. */
  draw(organizationId: string, draw: JointDraw): Promise<Drawn>;
  /** Takes an admitted draw back. */
  giveBack(organizationId: string, draw: JointDraw): Promise<void>;

  /** A secret that all servers on one database share. The one given becomes it when there is none. */
  serverSecret(name: ServerSecretName, first: Uint8Array): Promise<Uint8Array>;

  /** Throws when the store cannot serve. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
