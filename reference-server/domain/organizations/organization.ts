import type { OrganizationClock } from "../clock.ts";
import type { LimitSize } from "../limits/draw.ts";
import type { QuietHours } from "../quiet-hours/quiet-hours.ts";
import type { World } from "../world.ts";

/** Plans that an organization can have; the first is a new customer's. */
export const plans = ["payg", "starter", "growth", "scale", "legacy_basic"] as const;

/** Whether a plan is a legacy one that nobody can take any more. */
export const isDormant = (plan: string): boolean => plan.startsWith("legacy_");

/** What a sandbox can have fail: a call as a whole, or the platform's part of a lookup. */
export type OutageKind = "unhandled_error" | "lookup";

export type OrganizationKind = "personal" | "commercial";

/** A customer: everything that a caller does, it does for one of these. */
export interface Organization {
  readonly id: string;
  readonly plan: string;
  readonly kind: OrganizationKind;
  /** Registers brands on behalf of others, and so may have several. */
  readonly isReseller: boolean;
  readonly clock: OrganizationClock;
  /** Sizes that differ from the contract's, by bucket name. */
  readonly limits: Readonly<Record<string, LimitSize>>;
  /** When it does not disturb its recipients; null for never. */
  readonly quietHours: QuietHours | null;
  /** How many of its next calls, and of its next lookups, fail on purpose. */
  readonly outages: Readonly<Record<OutageKind, number>>;
}

/** An organization that has done nothing yet. */
export function newCustomer(world: Pick<World, "newId">): Organization {
  return {
    id: world.newId(),
    plan: plans[0],
    kind: "commercial",
    isReseller: false,
    clock: { mode: "real" },
    limits: {},
    quietHours: null,
    outages: { unhandled_error: 0, lookup: 0 },
  };
}
