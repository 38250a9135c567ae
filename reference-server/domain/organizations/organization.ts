import type { OrganizationClock } from "../clock.ts";
import type { LimitSize } from "../limits/draw.ts";
import type { QuietHours } from "../quiet-hours/quiet-hours.ts";
import type { Granularity } from "../time-buckets.ts";
import type { World } from "../world.ts";
import type { AutoTopUp } from "./auto-top-up.ts";

/** What stands in place of a plan where there is none. */
const noPlan = "none";

/** What a plan comes with. */
interface PlanTerms {
  /** US cents; null where any top-up is enough. */
  readonly leastTopUp: number | null;
  /** The finest of metrics. */
  readonly finestGranularity: Granularity;
}

/** The terms where a plan has none of its own. */
const leastTerms: PlanTerms = { leastTopUp: null, finestGranularity: "day" };

const planTerms: Readonly<Record<string, PlanTerms>> = {
  payg: { leastTopUp: null, finestGranularity: "hour" },
  starter: { leastTopUp: 1_000, finestGranularity: "hour" },
  growth: { leastTopUp: 5_000, finestGranularity: "minute" },
  scale: { leastTopUp: 10_000, finestGranularity: "minute" },
  legacy_basic: leastTerms,
  [noPlan]: leastTerms,
};

/** Plans that an organization can have, or that it has none; the first is a new customer's. */
export const plans: readonly string[] = Object.keys(planTerms);

/** The plan of new customers. */
export const [usualPlan = noPlan] = plans;

/** The least top-up of a plan, in US cents; null where any is enough. */
export const leastTopUpOf = (plan: string): number | null => termsOf(plan).leastTopUp;

/** The finest granularity of metrics that a plan allows. */
export const finestGranularityOf = (plan: string): Granularity => termsOf(plan).finestGranularity;

const termsOf = (plan: string): PlanTerms => planTerms[plan] ?? leastTerms;

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
