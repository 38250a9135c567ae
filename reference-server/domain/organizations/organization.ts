import type { OrganizationClock } from "../clock.ts";
import type { LimitSize } from "../limits/draw.ts";
import type { QuietHours } from "../quiet-hours/quiet-hours.ts";
import type { AutoTopUp } from "../wallet/top-up.ts";
import type { World } from "../world.ts";

/** What stands in place of a plan where there is none. */
const noPlan = "none";

/** The least top-up of each plan, in US cents; null where any is enough. The first plan is a new customer's. */
const leastTopUps: Readonly<Record<string, number | null>> = {
  payg: null,
  starter: 1_000,
  growth: 5_000,
  scale: 10_000,
  legacy_basic: null,
  [noPlan]: null,
};

/** Plans that an organization can have, or that it has none; the first is a new customer's. */
export const plans: readonly string[] = Object.keys(leastTopUps);

/** The plan of new customers. */
export const [usualPlan = noPlan] = plans;

/** The least top-up of a plan, in US cents; null where any is enough. */
export const leastTopUpOf = (plan: string): number | null => leastTopUps[plan] ?? null;

export const hasPlan = (plan: string): boolean => plan !== noPlan;

/** Whether a plan is a legacy one that nobody can take any more. */
export const isDormant = (plan: string): boolean => plan.startsWith("legacy_");

/** What a sandbox can have fail: a call as a whole, the platform's part of a lookup, or that the billing portal opens. */
export type OutageKind = "unhandled_error" | "lookup" | "billing_portal";

/** Nothing fails. */
export const noOutages: Organization["outages"] = { unhandled_error: 0, lookup: 0, billing_portal: 0 };

export type OrganizationKind = "personal" | "commercial";

/** A customer: everything that a caller does, it does for one of these. */
export interface Organization {
  readonly id: string;
  readonly plan: string;
  /** The least top-up of its plan, in US cents; null where any is enough. */
  readonly minTopUpCents: number | null;
  /** How its wallet tops itself up; null while it does not. */
  readonly autoTopUp: AutoTopUp | null;
  readonly kind: OrganizationKind;
  /** Registers brands on behalf of others, and so may have several. */
  readonly isReseller: boolean;
  readonly clock: OrganizationClock;
  /** Sizes that differ from the contract's, by bucket name. */
  readonly limits: Readonly<Record<string, LimitSize>>;
  /** When it does not disturb its recipients; null for never. */
  readonly quietHours: QuietHours | null;
  /** How many of its next calls, lookups and portals fail on purpose. */
  readonly outages: Readonly<Record<OutageKind, number>>;
}

/** An organization that has done nothing yet. */
export function newCustomer(world: Pick<World, "newId">): Organization {
  return {
    id: world.newId(),
    plan: usualPlan,
    minTopUpCents: leastTopUpOf(usualPlan),
    autoTopUp: null,
    kind: "commercial",
    isReseller: false,
    clock: { mode: "real" },
    limits: {},
    quietHours: null,
    outages: noOutages,
  };
}
