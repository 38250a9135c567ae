import type { EventType } from "../../../generated/events.ts";
import type { DeliveryAttempt, Outcome } from "../../domain/deliveries/delivery.ts";

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
  /** What is counted beside the page: what the filters let pass, or all that the organization has. */
  readonly total: "matching" | "all";
}

/** Attempts, newest first, and how many there are on all pages: as of one instant. */
export interface FoundAttempts {
  readonly attempts: readonly DeliveryAttempt[];
  readonly total: number;
}

/** What is read of deliveries. */
export interface WebhookStore {
  /** Whether the organization has, or had, such an endpoint. */
  endpointExists(organizationId: string, id: string): Promise<boolean>;

  attempts(organizationId: string, filters: AttemptFilters, page: AttemptPage): Promise<FoundAttempts>;
}
