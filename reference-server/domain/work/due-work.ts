import type { OrganizationClock } from "../clock.ts";
import type { DoubleOptIn } from "../consent/double-opt-in.ts";
import type { Delivery, DeliveryAttempt } from "../deliveries/delivery.ts";
import type { ForcedAnswer } from "../deliveries/receiver-answer.ts";
import type { Message, MessageStatus } from "../messages/message.ts";
import type { Brand } from "../registration/brand.ts";
import type { Campaign } from "../registration/campaign.ts";

/**
 * Makes work one process's own for a while. It counts in real time whatever the organization's clock says: when the
 * process is gone, another takes the work over.
 */
export interface Lease {
  /** Never used before. Who holds it may settle what was claimed with it. */
  readonly lease: string;
  /** The real present, and when the lease runs out: milliseconds since 1970. */
  readonly now: number;
  readonly leaseUntil: number;
}

/** What claims of every kind have in common. */
interface ClaimOf<Kind extends string> {
  readonly kind: Kind;
  readonly organizationId: string;
  /** The organization's, as it stands after the claim. */
  readonly clock: OrganizationClock;
  readonly lease: string;
}

/** A delivery to attempt now. */
export interface DeliveryClaim extends ClaimOf<"delivery"> {
  readonly delivery: Delivery;
  /**
   * The earliest forced answer that was waiting for the delivery's endpoint; no other delivery gets it from then on. It
   * stays with this one until the attempt is settled, so that a crash does not lose it.
   */
  readonly forced: ForcedAnswer | null;
}

/** A message to take one step on: `sending` or `sent`. */
export interface SendClaim extends ClaimOf<"send"> {
  readonly message: Message;
}

/** A double opt-in to take one step on: its recipient is to be asked, or it has expired. */
export interface DoubleOptInClaim extends ClaimOf<"double-opt-in"> {
  readonly doubleOptIn: DoubleOptIn;
  /** The text that asks has been handed to the carrier. */
  readonly isAsked: boolean;
}

/** A brand whose verification ends, or a campaign whose review does. */
export interface RegistrationClaim extends ClaimOf<"registration"> {
  /** The subject's. */
  readonly id: string;
  readonly subject:
    | { readonly kind: "brand"; readonly brand: Brand }
    | { readonly kind: "campaign"; readonly campaign: Campaign };
}

/** Work to do now: a union of all kinds. */
export type Claim = DeliveryClaim | SendClaim | DoubleOptInClaim | RegistrationClaim;

export type WorkKind = Claim["kind"];

/** By which the queue knows the work of a claim. */
export function workIdOf(claim: Claim): string {
  switch (claim.kind) {
    case "delivery":
      return claim.delivery.id;
    case "send":
      return claim.message.id;
    case "double-opt-in":
      return claim.doubleOptIn.id;
    case "registration":
      return claim.id;
  }
}

/** What came of claimed work. */
export type Settlement = DeliverySettlement | SendSettlement | DoubleOptInSettlement | RegistrationSettlement;

interface SettlementOf<Kind extends WorkKind> {
  readonly claim: Extract<Claim, { readonly kind: Kind }>;
  /** In the organization's time: milliseconds since 1970; null for work that is over. */
  readonly nextDueAt: number | null;
}

export interface DeliverySettlement extends SettlementOf<"delivery"> {
  /** The record to write. */
  readonly attempt: DeliveryAttempt;
}

export interface SendSettlement extends SettlementOf<"send"> {
  /** The message's from now on. */
  readonly status: MessageStatus;
}

/** What becomes of a double opt-in is written before: by the unit of work that tells of it. */
export type DoubleOptInSettlement = SettlementOf<"double-opt-in">;

/** The same. */
export type RegistrationSettlement = SettlementOf<"registration">;

export interface DueClaim extends Lease {
  /** How many places are free. No organization takes more than it leaves free. */
  readonly most: number;
  /** Of one partition, those included that are under lease already: the same number for all processes. */
  readonly mostPerPartition: number;
  /** How many places each organization has already; none unless it is named. */
  readonly taken: ReadonlyMap<string, number>;
}

export interface DueClaimed {
  readonly claims: readonly Claim[];
  /** Something may be due that had no place: worth another claim when a place is free. */
  readonly moreDue: boolean;
  /** Something may be due that others had their hands on: worth another claim in a moment. */
  readonly someHeld: boolean;
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

export interface Settled {
  /** For each settlement, in their order, whether it was written. */
  readonly written: readonly boolean[];
  /** When, in real time, to look for what waited for the room that this made; null when nothing did. */
  readonly lookAt: number | null;
}

/**
 * All work that is to be done at some time, of whatever kind. What shares a bound on how much is done at once, such as
 * deliveries to one endpoint, is a partition; one may be closed for a time, and its work waits then. Every method is
 * one step that no other call, in this or another process, can come between.
 */
export interface DueWorkQueue {
  /**
   * Leases what is due and under no lease, of organizations with a real clock: in turn of one organization and the
   * next, and of each what has been due longest.
   */
  claimDue(claim: DueClaim): Promise<DueClaimed>;

  /**
   * Finds the earliest instant, at or before `until`, at which work of an organization with a manual clock is due,
   * leases what is due then, and moves the clock there. A clock never goes back.
   */
  claimNext(claim: NextClaim): Promise<NextClaimed>;

  /**
   * Writes records, counts attempts, ends leases, and has work due at its `nextDueAt` or never again: all of it or
   * nothing. What somebody else holds by now, or is no more, is left out and told so; that a lease has run out does not
   * matter while nobody has taken the work.
   */
  settle(settlements: readonly Settlement[]): Promise<Settled>;
}
