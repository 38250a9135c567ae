import type { HostedForm } from "../domain/consent/hosted-form.ts";
import type { OrganizationResources } from "../domain/digest/organization-digest.ts";
import type { KeptAnswer, Retry } from "../domain/idempotency/kept-answer.ts";
import type { ApiKey } from "../domain/keys/api-keys.ts";
import type { JointDraw } from "../domain/limits/draw.ts";
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
import { webhooksIn } from "./attempts/webhooks.ts";
import { findHostedFormByHash } from "./consent/hosted-forms.ts";
import { asOfOneInstant, type Connection, inTransaction, statement } from "./engine/statement.ts";
import { findKept } from "./idempotency/kept-answers.ts";
import { type KeyReads, keyReadsIn, noteKeyUse } from "./keys/keys.ts";
import { SqlLimits } from "./limits/limits.ts";
import { findLineType } from "./lookups/lines.ts";
import { findLookup } from "./lookups/lookups.ts";
import { type FoundMessages, findMessages, type MessagePage } from "./messages/find-messages.ts";
import { findMessage } from "./messages/messages.ts";
import { hasMetric, type Metric, metricSums } from "./metrics/metric-sums.ts";
import { findNotifications } from "./notifications/notifications.ts";
import { deleteOrganization, findOrganization, insertOrganization, takeOutage } from "./organizations/organizations.ts";
import { readResources } from "./organizations/read-resources.ts";
import { numberStockIn } from "./phone-numbers/number-stocks.ts";
import { findPhoneNumber, heldNumbers } from "./phone-numbers/phone-numbers.ts";
import { findProfile } from "./profiles/profiles.ts";
import { findBrand } from "./registration/brands.ts";
import { findCampaign } from "./registration/campaigns.ts";
import { retentionIn } from "./retention/prune.ts";
import type { RetentionStore } from "./retention/retention-store.ts";
import { type ServerSecretName, serverSecret } from "./secrets/server-secret.ts";
import { findSessionByHash, insertSession } from "./sessions.ts";
import { SqlUnits } from "./sql-units.ts";
import type { Drawn, Session, Store } from "./store.ts";
import type { UnitOfWork } from "./unit-of-work.ts";
import { walletOf } from "./wallet/ledger.ts";
import { deliveryWork } from "./work/delivery-work.ts";
import { doubleOptInWork } from "./work/double-opt-in-work.ts";
import { SqlDueWork } from "./work/due-work.ts";
import { registrationWork } from "./work/registration-work.ts";
import { sendWork } from "./work/send-work.ts";

const selectAny = statement((db) => db.selectFrom("organizations").select("id").limit(1));

/** The store over any SQL engine that Kysely speaks to. What differs between engines is in the engine's file. */
export class SqlStore implements Store {
  readonly webhooks: WebhookStore;
  readonly retention: RetentionStore;
  readonly dueWork: DueWorkQueue;
  readonly #on: Connection;
  readonly #units: SqlUnits;
  readonly #limits: SqlLimits;
  readonly #keys: KeyReads;

  #enqueued: () => void = () => undefined;

  constructor(on: Connection) {
    this.#on = on;
    this.#units = new SqlUnits(on, () => this.#enqueued());
    this.#limits = new SqlLimits(on);
    this.#keys = keyReadsIn(on);
    this.webhooks = webhooksIn(on);
    this.retention = retentionIn(on);
    this.dueWork = new SqlDueWork(on, {
      delivery: deliveryWork,
      send: sendWork,
      "double-opt-in": doubleOptInWork,
      registration: registrationWork,
    });
  }

  onEnqueued(listener: () => void): void {
    this.#enqueued = listener;
  }

  atomically<Result>(organizationId: string, work: (tx: UnitOfWork) => Promise<Result>): Promise<Result> {
    return this.#units.atomically(organizationId, work);
  }

  insertOrganization(organization: Organization): Promise<void> {
    return insertOrganization(this.#on, organization);
  }

  organization(id: string): Promise<Organization | null> {
    return findOrganization(this.#on, id);
  }

  async deleteOrganization(id: string): Promise<Organization | null> {
    // Most of it in portions, so that others wait for none of it longer than for any statement.
    const end = Number.MAX_SAFE_INTEGER;
    const nothing = { eventsBefore: end, attemptsBefore: end, answersUntil: end, consentRequestsBefore: end };
    await this.retention.pruneOrganization(id, nothing);
    return inTransaction(this.#on, (on) => deleteOrganization(on, id));
  }

  takeOutage(organizationId: string, kind: OutageKind): Promise<boolean> {
    return takeOutage(this.#on, organizationId, kind);
  }

  profile(organizationId: string, id: string): Promise<Profile | null> {
    return findProfile(this.#on, organizationId, id);
  }

  notifications(organizationId: string, id: string): Promise<NotificationsByChannel | null> {
    return findNotifications(this.#on, organizationId, id);
  }

  lineType(organizationId: string, phoneNumber: string): Promise<LineType | null> {
    return findLineType(this.#on, organizationId, phoneNumber);
  }

  wallet(organizationId: string): Promise<Wallet> {
    return walletOf(this.#on, organizationId);
  }

  lookup(organizationId: string, id: string): Promise<Lookup | null> {
    return findLookup(this.#on, organizationId, id);
  }

  hasMetric(organizationId: string, metric: Metric): Promise<boolean> {
    return hasMetric(this.#on, organizationId, metric);
  }

  metricSums(organizationId: string, metric: Metric, windows: readonly Window[]): Promise<readonly number[]> {
    return metricSums(this.#on, organizationId, metric, windows);
  }

  brand(organizationId: string, id: string): Promise<Brand | null> {
    return findBrand(this.#on, organizationId, id);
  }

  campaign(organizationId: string, id: string): Promise<Campaign | null> {
    return findCampaign(this.#on, organizationId, id);
  }

  phoneNumber(organizationId: string, id: string): Promise<PhoneNumber | null> {
    return findPhoneNumber(this.#on, organizationId, id);
  }

  heldNumbers(phoneNumbers: readonly string[]): Promise<ReadonlySet<string>> {
    return heldNumbers(this.#on, phoneNumbers);
  }

  numberStock(organizationId: string): Promise<readonly string[] | null> {
    return numberStockIn(this.#on, organizationId);
  }

  message(organizationId: string, id: string): Promise<Message | null> {
    return findMessage(this.#on, organizationId, id);
  }

  messages(organizationId: string, page: MessagePage): Promise<FoundMessages> {
    return findMessages(this.#on, organizationId, page);
  }

  hostedFormByHash(tokenHash: string): Promise<HostedForm | null> {
    return findHostedFormByHash(this.#on, tokenHash);
  }

  keptAnswer(organizationId: string, retry: Retry, now: number): Promise<KeptAnswer | null> {
    return findKept(this.#on, organizationId, retry, now);
  }

  key(organizationId: string, id: string): Promise<ApiKey | null> {
    return this.#keys.key(organizationId, id);
  }

  keyByHash(secretHash: string): Promise<{ key: ApiKey; organization: Organization } | null> {
    return this.#keys.byHash(secretHash);
  }

  noteKeyUse(id: string, at: number, unlessAfter: number): Promise<void> {
    return noteKeyUse(this.#on, id, at, unlessAfter);
  }

  resources(organizationId: string): Promise<OrganizationResources | null> {
    return asOfOneInstant(this.#on, (on) => readResources(on, organizationId));
  }

  insertSession(session: Session): Promise<void> {
    return insertSession(this.#on, session);
  }

  sessionByHash(tokenHash: string): Promise<{ session: Session; organization: Organization } | null> {
    return findSessionByHash(this.#on, tokenHash);
  }

  draw(organizationId: string, joint: JointDraw): Promise<Drawn> {
    return this.#limits.draw(organizationId, joint);
  }

  giveBack(organizationId: string, joint: JointDraw): Promise<void> {
    return this.#limits.giveBack(organizationId, joint);
  }

  serverSecret(name: ServerSecretName, first: Uint8Array): Promise<Uint8Array> {
    return serverSecret(this.#on, name, first);
  }

  async ping(): Promise<void> {
    await selectAny.rows(this.#on, {});
  }

  async close(): Promise<void> {
    const { atOnce, db } = this.#on;
    await (atOnce === null ? db.destroy() : atOnce.close());
  }
}
