import type { Choices } from "../../generated/choices.ts";
import { refuse } from "../../generated/error-rows.ts";
import type * as wire from "../../generated/models/billing.ts";
import { Refusal } from "../../generated/runtime/refusal.ts";
import type { BillingHandlers } from "../../generated/server/billing.ts";
import { timestamp } from "../domain/clock.ts";
import type { AutoTopUp } from "../domain/organizations/auto-top-up.ts";
import { type Caller, callerTime } from "../domain/organizations/caller.ts";
import type { BillingPortals } from "../domain/wallet/billing-portal.ts";
import {
  dueTopUp,
  productFor,
  refuseAutoWithoutPlan,
  refuseWithoutPlan,
  topUpEntry,
  topUpProducts,
} from "../domain/wallet/top-up.ts";
import { hasPaid } from "../domain/wallet/wallet.ts";
import type { World } from "../domain/world.ts";
import { refuseFields } from "../http/refuse-fields.ts";
import type { Store } from "../store/store.ts";
import { once } from "./once.ts";

export interface BillingParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
  readonly portals: BillingPortals;
}

export function billingHandlers({ store, world, choices, portals }: BillingParts): BillingHandlers<Caller> {
  return {
    async topUpWallet({ body }, caller) {
      const { organization } = caller;
      const refusal = refuseWithoutPlan(organization);
      if (refusal !== null) return refusal;
      const product = productFor(body.product_id, organization);
      if (product instanceof Refusal) return product;
      const id = world.newId();
      const now = callerTime(caller, world.now());
      return once({ store, now, choices }, caller, async (tx) => {
        await tx.ledger.append(topUpEntry(id, product, now));
        return {
          id,
          product_id: product.id,
          amount_cents: product.amount,
          created_at: timestamp(now, choices.timestampPrecision),
        };
      });
    },

    async listTopUpProducts() {
      return { products: topUpProducts.map(({ id, amount }) => ({ id, amount_cents: amount })) };
    },

    async setAutoTopUp({ body }, caller) {
      const { organization } = caller;
      const refusal = refuseAutoWithoutPlan(organization);
      if (refusal !== null) return refusal;
      const wanted = body.enabled ? wantedOf(body, choices) : null;
      if (wanted instanceof Refusal) return wanted;
      const product = wanted && productFor(wanted.productId, organization);
      if (product instanceof Refusal) return product;
      const [id, now] = [world.newId(), callerTime(caller, world.now())];
      return store.atomically(organization.id, async (tx) => {
        const isEnabled = (tx.organization?.autoTopUp ?? null) !== null;
        const isAgain = isEnabled === (wanted !== null);
        if (isAgain && (isEnabled || choices.disabledAgain === "conflict"))
          return refuse.Conflict(`Auto top-up is ${isEnabled ? "enabled" : "disabled"} already.`);
        await tx.setAutoTopUp(wanted);
        const due = dueTopUp(wanted, await tx.ledger.wallet());
        if (due !== null) await tx.ledger.append(topUpEntry(id, due, now));
        return wireAutoTopUp(wanted);
      });
    },

    async openBillingPortal(_input, { organization }) {
      if (!hasPaid(await store.wallet(organization.id)))
        return refuse.NoBillingCustomer("The organization has never paid. Top the wallet up first.");
      const url = await portals.open(organization.id);
      return url === null
        ? refuse.BillingPortalUnavailable("The billing portal could not be opened. Try again later.")
        : { url };
    },
  };
}

/** How auto top-up is to be; a refusal where that is not said. */
function wantedOf(
  { product_id: productId, threshold_cents: threshold }: wire.AutoTopUpRequest,
  choices: Parameters<typeof refuseFields>[1],
) {
  if (productId !== undefined && threshold !== undefined) return { productId, threshold };
  const missing = [
    ...(productId === undefined ? ["product_id"] : []),
    ...(threshold === undefined ? ["threshold_cents"] : []),
  ];
  return refuseFields(
    missing.map((name) => ({ pointer: `/${name}`, says: "is required to enable auto top-up" })),
    choices,
  );
}

const wireAutoTopUp = (autoTopUp: AutoTopUp | null): wire.AutoTopUp => ({
  enabled: autoTopUp !== null,
  product_id: autoTopUp?.productId ?? null,
  threshold_cents: autoTopUp?.threshold ?? null,
});
