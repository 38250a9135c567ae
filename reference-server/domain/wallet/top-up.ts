import { refuse } from "../../../generated/error-rows.ts";
import type { AutoTopUp } from "../organizations/auto-top-up.ts";
import type { Organization } from "../organizations/organization.ts";
import { hasPlan } from "../organizations/organization.ts";
import { type LedgerEntry, microsInCent, type Wallet } from "./wallet.ts";

/** An amount by which a wallet can be topped up. */
export interface TopUpProduct {
  readonly id: string;
  /** US cents. */
  readonly amount: number;
}

/** What wallets can be topped up by, the smallest first. */
export const topUpProducts: readonly TopUpProduct[] = [500, 1_000, 2_500, 5_000, 10_000, 50_000].map((amount) => ({
  id: `usd_${amount / 100}`,
  amount,
}));

/** Who wants to top up, and the least amount of its plan. */
export type Payer = Pick<Organization, "plan" | "minTopUpCents">;

/** The product that is wanted; what keeps the payer from it where there is something. */
export function productFor(productId: string, { minTopUpCents }: Payer) {
  const product = topUpProducts.find(({ id }) => id === productId);
  if (product === undefined)
    return refuse.ValidationFailed("There is no such product.", {
      product_id: `must be one of ${topUpProducts.map(({ id }) => id).join(", ")}`,
    });
  if (minTopUpCents !== null && product.amount < minTopUpCents)
    return refuse.BelowMinimumCredit(`The plan takes top-ups of ${minTopUpCents} US cents and more.`);
  return product;
}

/** Null when the organization has a plan, which a top-up takes. */
export const refuseWithoutPlan = ({ plan }: Payer) =>
  hasPlan(plan) ? null : refuse.NoPlanForTopUp("The organization has no plan. Choose one first.");

/** The same for auto top-up. */
export const refuseAutoWithoutPlan = ({ plan }: Payer) =>
  hasPlan(plan) ? null : refuse.NoPlan("The organization has no plan. Choose one first.");

/** Money that comes in by a product. */
export const topUpEntry = (id: string, { amount }: TopUpProduct, at: number): LedgerEntry => ({
  kind: "credit",
  amount: amount * microsInCent,
  reference: `top-up ${id}`,
  at,
});

/** What a wallet that holds this is topped up by of itself; null for nothing. */
export function dueTopUp(autoTopUp: AutoTopUp | null, { balance }: Pick<Wallet, "balance">): TopUpProduct | null {
  if (autoTopUp === null || balance >= autoTopUp.threshold * microsInCent) return null;
  return topUpProducts.find(({ id }) => id === autoTopUp.productId) ?? null;
}
