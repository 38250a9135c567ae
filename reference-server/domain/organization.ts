import type { OrganizationClock } from "./clock.ts";
import type { LimitSize } from "./limit.ts";

/** Plans that an organization can have; the first is a new customer's. */
export const plans = ["payg", "starter", "growth", "scale", "legacy_basic"] as const;

export type OrganizationKind = "personal" | "commercial";

/** A customer: everything that a caller does, it does for one of these. */
export interface Organization {
  readonly id: string;
  readonly plan: string;
  readonly kind: OrganizationKind;
  readonly lifetimeSpendCents: number;
  readonly walletCents: number;
  readonly clock: OrganizationClock;
  /** Sizes that differ from the contract's, by bucket name. */
  readonly limits: Readonly<Record<string, LimitSize>>;
  /** How many of its next calls fail on purpose. */
  readonly outageCalls: number;
}
