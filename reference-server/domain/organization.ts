import type { OrganizationClock } from "./clock.ts";
import type { LimitSize } from "./draw.ts";
import type { World } from "./world.ts";

/** Plans that an organization can have; the first is a new customer's. */
export const plans = ["payg", "starter", "growth", "scale", "legacy_basic"] as const;

export type OrganizationKind = "personal" | "commercial";

/** A customer: everything that a caller does, it does for one of these. */
export interface Organization {
  readonly id: string;
  readonly plan: string;
  readonly kind: OrganizationKind;
  readonly clock: OrganizationClock;
  /** Sizes that differ from the contract's, by bucket name. */
  readonly limits: Readonly<Record<string, LimitSize>>;
  /** How many of its next calls fail on purpose. */
  readonly outageCalls: number;
}

/** An organization that has done nothing yet. */
export function newCustomer(world: Pick<World, "newId">): Organization {
  return {
    id: world.newId(),
    plan: plans[0],
    kind: "commercial",
    clock: { mode: "real" },
    limits: {},
    outageCalls: 0,
  };
}
