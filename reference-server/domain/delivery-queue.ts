import type { OrganizationClock } from "./clock.ts";
import type { Delivery, DeliveryAttempt } from "./delivery.ts";
import type { ForcedAnswer } from "./receiver-answer.ts";

/**
 * Makes a delivery one process's own for a while. It counts in real time whatever the organization's clock says: when
 * the process is gone, another takes the delivery over.
 */
export interface Lease {
  /** Never used before. Who holds it may settle what was claimed with it. */
  readonly lease: string;
  /** The real present, and when the lease runs out: milliseconds since 1970. */
  readonly now: number;
  readonly leaseUntil: number;
}

/** A delivery to attempt now. */
export interface Claim {
  readonly delivery: Delivery;
  /** The organization's, as it stands after the claim. */
  readonly clock: OrganizationClock;
  readonly lease: string;
  /**
   * The earliest forced answer that was waiting for the delivery's endpoint; no other delivery gets it from then on. It
   * stays with this one until the attempt is settled, so that a crash does not lose it.
   */
  readonly forced: ForcedAnswer | null;
}

export interface DueClaim extends Lease {
  readonly most: number;
  /** Of one endpoint, those included that are under lease already. */
  readonly mostPerEndpoint: number;
}

export interface NextClaim extends Lease {
  readonly organizationId: string;
  /** In the organization's time: milliseconds since 1970. */
  readonly until: number;
  readonly most: number;
}

/** What a manual clock met on its way. */
export type NextClaimed =
  /** At least one, all due at the same instant; the clock shows that instant, or stands later already. */
  | { readonly kind: "claimed"; readonly claims: readonly Claim[] }
  /** All that are due at the earliest instant are under lease: none later may overtake them. */
  | { readonly kind: "held" }
  /** Nothing is due up to `until`, which the clock shows now unless it stood later already. */
  | { readonly kind: "none" };

/**
 * The deliveries that are still to be made: not settled, and of endpoints that are active and not deleted. Every
 * method is one step that no other call, in this or another process, can come between.
 */
export interface DeliveryQueue {
  /** Leases what is due and under no lease, the longest due first, of organizations with a real clock. */
  claimDue(claim: DueClaim): Promise<readonly Claim[]>;

  /**
   * Finds the earliest instant, at or before `until`, at which a delivery of an organization with a manual clock is
   * due, leases what is due then, and moves the clock there. A clock never goes back.
   */
  claimNext(claim: NextClaim): Promise<NextClaimed>;

  /**
   * Writes the record of an attempt, counts it, ends the lease, and has the delivery due at `nextDueAt` (in the
   * organization's time) or, for null, never again: all or nothing. False, and nothing written, when somebody else
   * holds the delivery by now or it is no more; that the lease has run out does not matter while nobody has taken it.
   */
  settle(claim: Claim, attempt: DeliveryAttempt, nextDueAt: number | null): Promise<boolean>;
}
