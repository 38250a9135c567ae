import { buckets } from "../../generated/limits.ts";
import type { Need } from "../arrangements/all.ts";
import type { TenantWish } from "../provision/tenant.ts";
import { granularities } from "./metrics.ts";
import { spendWithin } from "./spend-within.ts";

/** Organizations that differ in one setting of the sandbox API. */
export interface OrganizationKind {
  readonly id: string;
  /** Such as "a personal organization". */
  readonly what: string;
  readonly needs: readonly Need[];
  readonly wish: TenantWish & { readonly is_reseller: boolean };
}

/** US cents. */
const someMinTopUpCents = 5_000;

const byOwner: readonly OrganizationKind[] = [
  {
    id: "personal",
    what: "a personal organization",
    needs: ["organization-kind", "reseller-mode"],
    wish: { kind: "personal", is_reseller: false },
  },
  {
    id: "commercial",
    what: "a commercial organization",
    needs: ["organization-kind", "reseller-mode"],
    wish: { kind: "commercial", is_reseller: false },
  },
  {
    id: "reseller",
    what: "a reseller",
    needs: ["organization-kind", "reseller-mode"],
    wish: { kind: "commercial", is_reseller: true },
  },
];

const byPlan: readonly OrganizationKind[] = [
  {
    id: "dormant-plan",
    what: "an organization with a dormant legacy plan",
    needs: ["dormant-plan", "reseller-mode"],
    wish: { dormant_plan: true, is_reseller: false },
  },
  {
    id: "no-plan",
    what: "an organization without a plan",
    needs: ["no-plan", "reseller-mode"],
    wish: { no_plan: true, is_reseller: false },
  },
  {
    id: "pay-as-you-go",
    what: "an organization under pay-as-you-go",
    needs: ["least-top-up", "reseller-mode"],
    wish: { min_topup_cents: null, is_reseller: false },
  },
  {
    id: "least-top-up",
    what: "an organization whose plan has a least top-up",
    needs: ["least-top-up", "reseller-mode"],
    wish: { min_topup_cents: someMinTopUpCents, is_reseller: false },
  },
  ...granularities.map(({ name }) => ({
    id: `finest-${name}`,
    what: `an organization whose plan allows metrics of a ${name}`,
    needs: ["finest-granularity", "reseller-mode"] as const,
    wish: { finest_granularity: name, is_reseller: false },
  })),
];

const byTier: readonly OrganizationKind[] = buckets.messageSendsPerSecond.tiers.map(({ tier }, index) => ({
  id: `tier-${tier}`,
  what: `an organization on tier ${tier} of the send ladder`,
  needs: ["lifetime-spend", "reseller-mode"],
  wish: { lifetime_spend_micros: spendWithin(index), is_reseller: false },
}));

/** All kinds of organizations that the sandbox API names. */
export const organizationKinds: readonly OrganizationKind[] = [...byOwner, ...byPlan, ...byTier];

/** Kinds with the plan of a new customer, which is never dormant. A plan that is selected by its terms may be. */
export const kindsWithUsualPlan: readonly OrganizationKind[] = [...byOwner, ...byTier];
