import type { EventType } from "../../generated/events.ts";
import type { DeliveryAttempt, Outcome } from "../domain/delivery.ts";
import type { Event } from "../domain/event.ts";
import type { OrganizationSecrets } from "../domain/organization-secrets.ts";
import type { ForcedAnswer } from "../domain/receiver-answer.ts";
import type { WebhookEndpoint } from "../domain/webhook-endpoint.ts";

/** Who gets an event: whoever subscribes to its type, or one endpoint whatever it subscribes to. */
export type Recipients = "subscribed" | { readonly endpointId: string };

/** What changes about an endpoint; what is left out stays. */
export interface EndpointChanges {
  readonly active?: boolean | undefined;
  readonly events?: readonly EventType[] | undefined;
}

/** Which attempts are wanted: those that meet all that is given. */
export interface AttemptFilters {
  readonly endpointId?: string | undefined;
  readonly eventType?: EventType | undefined;
  readonly outcome?: Outcome | undefined;
  /** Milliseconds since 1970; the instant itself belongs to the range. */
  readonly since?: number | undefined;
  /** Milliseconds since 1970; the instant itself belongs to the range. */
  readonly until?: number | undefined;
  /** Bounds of the receiver's status; both belong to the range. */
  readonly statusMin?: number | undefined;
  readonly statusMax?: number | undefined;
  /** What becomes of attempts that nobody answered when there is a bound of the status. */
  readonly unanswered: "left-out" | "kept";
}

/** Where an attempt stands in the feed: later ones come first, and of one instant those with the greater id. */
export interface AttemptPosition {
  readonly occurredAt: number;
  readonly id: string;
}

export interface AttemptPage {
  /** The page holds what comes after this attempt in the feed, which may be gone by now; null for the first page. */
  readonly before: AttemptPosition | null;
  readonly limit: number;
}

/** How an attempt's event is to go out again. */
export interface ReplayRequest {
  readonly newEventId: string;
  readonly auditId: string;
  readonly reason: string | null;
  /** The key or session that asks for it. */
  readonly by: string;
  /** The organization's present, and the creation of its oldest event that is still retained: ms since 1970. */
  readonly now: number;
  readonly retainedSince: number;
}

/**
 * What a replay came to. Unknown, foreign and deleted (the endpoint) are all `missing`; what is expired stays so,
 * hence it counts before `inactive`, which can change.
 */
export type Replayed =
  | { readonly kind: "replayed"; readonly attempt: DeliveryAttempt; readonly event: Event }
  | { readonly kind: "missing" | "expired" | "inactive" };

/** Instants before which nothing is kept, in milliseconds since 1970. */
export interface Retention {
  /** Events, with what of them was not delivered yet. Their attempts stay, and can no longer be replayed. */
  readonly eventsBefore: number;
  readonly attemptsBefore: number;
}

/** Endpoints, their secrets, what was sent to them, and what came of it. All of it belongs to an organization. */
export interface WebhookStore {
  /** False, and nothing stored, when the organization has `most` active endpoints. */
  insertEndpoint(endpoint: WebhookEndpoint, most: number): Promise<boolean>;
  /** One that is not deleted. */
  endpoint(organizationId: string, id: string): Promise<WebhookEndpoint | null>;
  /** Whether the organization has, or had, such an endpoint. */
  endpointExists(organizationId: string, id: string): Promise<boolean>;
  /**
   * The endpoint as it is from then on: deleted, not active, and without what was still on its way to it. Null when
   * there is none, or it is deleted already.
   */
  deleteEndpoint(organizationId: string, id: string, at: number): Promise<WebhookEndpoint | null>;
  /** From then on deliveries are signed with this secret alone. Null when there is no such endpoint. */
  replaceEndpointSecret(
    organizationId: string,
    id: string,
    secret: string,
    at: number,
  ): Promise<WebhookEndpoint | null>;
  /** Null when there is no such endpoint; `too-many` when it would be one more than `most` active ones. */
  changeEndpoint(
    organizationId: string,
    id: string,
    changes: EndpointChanges,
    at: number,
    most: number,
  ): Promise<WebhookEndpoint | null | "too-many">;

  /** The organization's own secrets. The one given becomes the first when there is none. */
  organizationSecrets(organizationId: string, first: string): Promise<OrganizationSecrets>;
  /**
   * Makes this the organization's secret; the one before it, if there was one, stays valid until `previousUntil`.
   * What was valid until before `at` is forgotten.
   */
  replaceOrganizationSecret(
    organizationId: string,
    secret: string,
    at: number,
    previousUntil: number,
  ): Promise<OrganizationSecrets>;

  /**
   * Has an event delivered to those active endpoints of its organization that are meant, due when it happened. Gives
   * how many they are; an event that nobody gets is not kept.
   */
  emit(event: Event, to: Recipients): Promise<number>;

  /** Attempts, newest first. */
  attempts(organizationId: string, filters: AttemptFilters, page: AttemptPage): Promise<readonly DeliveryAttempt[]>;
  countAttempts(organizationId: string, filters: AttemptFilters): Promise<number>;
  /** An attempt with its event; null in its place when that is no longer kept. */
  attempt(
    organizationId: string,
    id: string,
  ): Promise<{ readonly attempt: DeliveryAttempt; readonly event: Event | null } | null>;
  /**
   * Sends the event of an attempt again to the same endpoint, subscribed or not: a new event of equal type and data,
   * with a record of who asked for it and why.
   */
  replay(organizationId: string, attemptId: string, request: ReplayRequest): Promise<Replayed>;

  /**
   * Sets what the next attempts at an endpoint meet in place of its receiver, in order and instead of what was set
   * before; the last may stay for all later ones. False when there is no such endpoint.
   */
  forceAnswers(
    organizationId: string,
    endpointId: string,
    answers: readonly ForcedAnswer[],
    repeatLast: boolean,
  ): Promise<boolean>;

  /**
   * Deletes what organizations with a real clock no longer keep, about `most` records at once at most. Gives how many
   * it deleted; there may be more to delete when they are `most` or more.
   */
  prune(retention: Retention, most: number): Promise<number>;
  /** Deletes all that one organization, with whatever clock, no longer keeps. */
  pruneOrganization(organizationId: string, retention: Retention): Promise<void>;

  /** The key of cursors, which all servers on one database share. The one given becomes it when there is none. */
  cursorKey(first: Uint8Array): Promise<Uint8Array>;
}
