import type { Consent } from "../domain/consent/consent.ts";
import type { DoubleOptIn } from "../domain/consent/double-opt-in.ts";
import type { HostedForm } from "../domain/consent/hosted-form.ts";
import type { DeliveryAttempt } from "../domain/deliveries/delivery.ts";
import type { ForcedAnswer } from "../domain/deliveries/receiver-answer.ts";
import type { Replay } from "../domain/deliveries/replay.ts";
import type { WebhookEndpoint } from "../domain/endpoints/webhook-endpoint.ts";
import type { Event } from "../domain/events/event.ts";
import type { KeptAnswer, Retry } from "../domain/idempotency/kept-answer.ts";
import type { ApiKey } from "../domain/keys/api-keys.ts";
import type { LegalAcceptance } from "../domain/legal-acceptances/legal-acceptance.ts";
import type { LineType } from "../domain/lookups/line-type.ts";
import type { Lookup } from "../domain/lookups/lookup.ts";
import type { Message } from "../domain/messages/message.ts";
import type { NotificationsByChannel } from "../domain/notifications/notification-settings.ts";
import type { AutoTopUp } from "../domain/organizations/auto-top-up.ts";
import type { Organization, OutageKind } from "../domain/organizations/organization.ts";
import type { OrganizationSecrets } from "../domain/organizations/organization-secrets.ts";
import type { PhoneNumber } from "../domain/phone-numbers/phone-number.ts";
import type { Profile } from "../domain/profiles/profile.ts";
import type { Brand } from "../domain/registration/brand.ts";
import type { Campaign } from "../domain/registration/campaign.ts";
import type { LedgerEntry, Wallet } from "../domain/wallet/wallet.ts";

/**
 * What one unit of work sees and changes. All of it belongs to the unit's organization; nobody else changes any of it
 * before the unit is over, but for what deliveries and mere requests leave behind.
 */
export interface UnitOfWork {
  /** Null when there is no such organization. */
  readonly organization: Organization | null;
  readonly keys: Keys;
  readonly endpoints: Endpoints;
  readonly secrets: Secrets;
  readonly attempts: Attempts;
  readonly events: Events;
  readonly replays: Replays;
  readonly ledger: Ledger;
  readonly lookups: Lookups;
  readonly lines: Lines;
  readonly consents: Consents;
  readonly doubleOptIns: DoubleOptIns;
  readonly hostedForms: HostedForms;
  readonly phoneNumbers: PhoneNumbers;
  readonly profiles: Profiles;
  readonly notifications: Notifications;
  readonly legalAcceptances: LegalAcceptances;
  readonly messages: Messages;
  readonly brands: Brands;
  readonly campaigns: Campaigns;
  readonly answers: KeptAnswers;
  /** Has a manual clock show this instant. */
  moveClock(at: number): Promise<void>;
  /** Turns reseller mode on or off. */
  setReseller(isReseller: boolean): Promise<void>;
  /** Has so many of the next calls, lookups or portals fail. */
  setOutage(kind: OutageKind, calls: number): Promise<void>;
  /** Has the wallet top itself up like this; null for no longer. */
  setAutoTopUp(autoTopUp: AutoTopUp | null): Promise<void>;
  /**
   * Has an event delivered to those active endpoints that are meant, due when it happened. Gives how many they are; an
   * event that nobody gets is not kept.
   */
  enqueue(event: Event, to: Recipients): Promise<number>;
}

/** Who gets an event: whoever subscribes to its type, or one endpoint whatever it subscribes to. */
export type Recipients = "subscribed" | { readonly endpointId: string };

/** Endpoints that are not deleted. */
export interface Endpoints {
  find(id: string): Promise<WebhookEndpoint | null>;
  countActive(): Promise<number>;
  insert(endpoint: WebhookEndpoint): Promise<void>;
  /** Writes the endpoint as it is from now on. One that is deleted loses what is still on its way to it. */
  update(endpoint: WebhookEndpoint): Promise<void>;
  /**
   * Sets what the next attempts at an endpoint meet in place of its receiver, in order and instead of what was set
   * before; the last may stay for all later ones.
   */
  forceAnswers(id: string, answers: readonly ForcedAnswer[], repeatLast: boolean): Promise<void>;
}

/** What the organization itself signs with; null as long as it has nothing. */
export interface Secrets {
  find(): Promise<OrganizationSecrets | null>;
  put(secrets: OrganizationSecrets): Promise<void>;
}

export interface Keys {
  find(id: string): Promise<ApiKey | null>;
  insert(key: ApiKey): Promise<void>;
  /** Writes the key that was known by `id` as it is from now on, by whatever id. */
  update(id: string, key: ApiKey): Promise<void>;
}

export interface Attempts {
  find(id: string): Promise<DeliveryAttempt | null>;
}

export interface Events {
  /** Null when it is no longer kept. */
  find(id: string): Promise<Event | null>;
}

export interface Replays {
  insert(replay: Replay): Promise<void>;
}

/** The organization's money. */
export interface Ledger {
  wallet(): Promise<Wallet>;
  /** Adds an entry and gives what all then come to; throws when the wallet does not cover a charge. */
  append(entry: LedgerEntry): Promise<Wallet>;
}

export interface Lookups {
  insert(lookup: Lookup): Promise<void>;
  /** The latest one of a number; null when there is none. */
  latest(phoneNumber: string): Promise<Lookup | null>;
}

/** What a sandbox has lookups find. */
export interface Lines {
  /** Has lookups of a number find this from now on. */
  put(phoneNumber: string, lineType: LineType): Promise<void>;
}

/** Phone numbers that the organization holds. */
export interface PhoneNumbers {
  find(id: string): Promise<PhoneNumber | null>;
  /** Which of these numbers somebody holds, whoever it is. */
  held(phoneNumbers: readonly string[]): Promise<ReadonlySet<string>>;
  /** Assigns them. Where somebody else has taken one meanwhile, the unit is done again. */
  insert(numbers: readonly PhoneNumber[]): Promise<void>;
  /** Writes what the organization may change of it, and its status, as they are from now on. */
  update(number: PhoneNumber): Promise<void>;
  /** Lets go of one: whoever wants may hold it then. */
  remove(id: string): Promise<void>;
  /** The numbers that the organization is to find; null where nobody has set them. */
  stock(): Promise<readonly string[] | null>;
  /** Has the organization find these from now on, and no others. */
  putStock(phoneNumbers: readonly string[]): Promise<void>;
}

export interface Messages {
  find(id: string): Promise<Message | null>;
  /** Has it sent when its time comes. */
  insert(message: Message): Promise<void>;
  /** Has it not sent, or no further, and tells whether there was something to stop: of what is claimed already only where asked to. */
  withdraw(id: string, from: "unclaimed" | "anybody"): Promise<boolean>;
  /** Cancels all to a number that nobody has claimed, and gives them. */
  cancelTo(phoneNumber: string): Promise<readonly Message[]>;
  /** Writes its status as it is from now on. */
  update(message: Pick<Message, "id" | "status">): Promise<void>;
}

export interface Brands {
  find(id: string): Promise<Brand | null>;
  count(): Promise<number>;
  /** Has its verification end when that time comes. */
  insert(brand: Brand, verifiedAt: number): Promise<void>;
  /** Writes its identity status as it is from now on; its verification has ended. */
  conclude(brand: Pick<Brand, "id" | "identityStatus">): Promise<void>;
}

export interface Campaigns {
  find(id: string): Promise<Campaign | null>;
  /** Has its review end when that time comes. */
  insert(campaign: Campaign, reviewedAt: number): Promise<void>;
  /** Writes its status as it is from now on; nobody reviews it any more. */
  settle(campaign: Pick<Campaign, "id" | "status">): Promise<void>;
}

/** What recipients last said of getting the organization's messages. */
export interface Consents {
  /** Null when nothing is known of the number. */
  of(phoneNumber: string): Promise<Consent | null>;
  /** What is known of some of these numbers, by number. */
  ofAll(phoneNumbers: readonly string[]): Promise<ReadonlyMap<string, Consent>>;
  /** Writes what is known of a number from now on. */
  put(consent: Consent): Promise<void>;
  /** Writes what is known of several numbers from now on, once of each. */
  putAll(consents: readonly Consent[]): Promise<void>;
  /** Has nothing known of a number from now on. */
  remove(phoneNumber: string): Promise<void>;
}

/** Recipients who were asked whether they consent. */
export interface DoubleOptIns {
  /** The one that is pending for a number; null when there is none. */
  pending(phoneNumber: string): Promise<DoubleOptIn | null>;
  /** Has its recipient asked at once, and looks at it again when it expires. */
  insert(doubleOptIn: DoubleOptIn): Promise<void>;
  /** Writes one that is no longer pending; nothing more is done for it. */
  end(doubleOptIn: DoubleOptIn): Promise<void>;
  /** Has nothing known of any for a number, and nothing more done for them. */
  remove(phoneNumber: string): Promise<void>;
}

/** Pages on which recipients can consent. */
export interface HostedForms {
  find(id: string): Promise<HostedForm | null>;
  insert(form: HostedForm): Promise<void>;
  /** Writes when it was submitted. */
  submit(id: string, at: number): Promise<void>;
  /** Has no form for a number any more. */
  remove(phoneNumber: string): Promise<void>;
}

/** What users say of themselves. */
export interface Profiles {
  /** Null where the user has not said anything yet. */
  find(id: string): Promise<Profile | null>;
  /** Writes a profile as it is from now on. */
  put(profile: Profile): Promise<void>;
}

/** What users are told of. */
export interface Notifications {
  /** Null where the user has not set anything yet. */
  find(id: string): Promise<NotificationsByChannel | null>;
  /** Writes what a user is told of from now on. */
  put(id: string, settings: NotificationsByChannel): Promise<void>;
}

/** Legal documents that users accepted. */
export interface LegalAcceptances {
  insert(acceptance: LegalAcceptance): Promise<void>;
}

/** What retries with an idempotency key are answered. */
export interface KeptAnswers {
  /** Null when none is kept at this time. */
  find(retry: Retry, now: number): Promise<KeptAnswer | null>;
  /** Keeps an answer, and lets go of some that are kept no longer. */
  keep(answer: KeptAnswer, now: number): Promise<void>;
}
