import type { ApiKey, NewSecret } from "../domain/api-keys.ts";
import type { Draw, LimitLevel } from "../domain/draw.ts";
import type { DueWorkQueue } from "../domain/due-work.ts";
import type { Event } from "../domain/event.ts";
import type { Organization } from "../domain/organization.ts";
import type { OrganizationResources } from "../domain/organization-digest.ts";
import type { WebhookStore } from "./webhook-store.ts";

/** A signed-in user, without the token. */
export interface Session {
  readonly id: string;
  readonly organizationId: string;
  readonly tokenHash: string;
  readonly staff: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** What a draw from a limit came to; a refused one tells the level that it met. */
export type Drawn = { readonly admitted: true } | { readonly admitted: false; readonly level: LimitLevel };

/**
 * All that the server remembers. Every method is one step that no other call, in this or another process, can come
 * between: a decision and the change that rests on it are one statement or one transaction.
 */
export interface Store {
  readonly webhooks: WebhookStore;
  readonly dueWork: DueWorkQueue;
  /**
   * Has `listener` called after every change by which this store may have made work due at once in real time, in
   * place of what was to be called before.
   */
  onEnqueued(listener: () => void): void;

  insertOrganization(organization: Organization): Promise<void>;
  organization(id: string): Promise<Organization | null>;
  /** Deletes the organization with all that is its own, and gives it as it was last. */
  deleteOrganization(id: string): Promise<Organization | null>;
  /** Moves a manual clock that stays at or before `latest`; null when there is no such clock or it would pass it. */
  advanceClock(id: string, milliseconds: number, latest: number): Promise<Organization | null>;
  setOutage(organizationId: string, calls: number): Promise<boolean>;
  /** Uses up one call of a set outage; false when none is left. */
  takeOutage(organizationId: string): Promise<boolean>;

  /** Keys may come with the event that tells of the change: both are stored or neither. */
  insertKey(key: ApiKey, event?: Event): Promise<void>;
  key(organizationId: string, id: string): Promise<ApiKey | null>;
  keyByHash(secretHash: string): Promise<{ readonly key: ApiKey; readonly organization: Organization } | null>;
  /** Gives a key that is not revoked a new secret, and the id it is known by from then on; null when there is none. */
  replaceSecret(
    organizationId: string,
    id: string,
    secret: NewSecret,
    nextId: string,
    event?: Event,
  ): Promise<ApiKey | null>;
  /** Revokes a key that is not revoked; null when there is none. */
  revokeKey(organizationId: string, id: string, at: number, event?: Event): Promise<ApiKey | null>;
  /** Notes a use unless one is noted after `unlessAfter`. */
  noteKeyUse(id: string, at: number, unlessAfter: number): Promise<void>;
  /** All that the organization has, as it is at one instant. */
  resources(organizationId: string): Promise<OrganizationResources | null>;

  insertSession(session: Session): Promise<void>;
  sessionByHash(tokenHash: string): Promise<{ readonly session: Session; readonly organization: Organization } | null>;

  /** Draws from a limit, all or nothing. */
  draw(organizationId: string, bucket: string, draw: Draw): Promise<Drawn>;
  /** Takes an admitted draw back. */
  giveBack(organizationId: string, bucket: string, draw: Draw): Promise<void>;

  /** Throws when the store cannot serve. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
