import { type Check, check } from "../../context/check.ts";
import { brandPriceMicros, callBrand, registerBrand } from "../../steps/brand.ts";
import { balanceOf, balanceOnce } from "../../steps/lookup.ts";
import { organizationKinds } from "../../steps/organization-kinds.ts";

/** The price of a brand, and the limit of one, for each kind of organization. */
export const brandsOfKinds: readonly Check[] = organizationKinds.map(({ id, what, needs, wish }) =>
  check({
    id: `brands.brands-of.${id}`,
    title: `The price of a brand is charged to ${what}${wish.is_reseller ? "" : ", and a second brand is refused"}`,
    rules: ["BRD-01", ...(wish.is_reseller ? [] : (["BRD-03"] as const))],
    kind: "scenario",
    needs: ["state", "wallet", ...needs],
    effects: ["creates", "spends"],
    draws: {},
    async run(t) {
      const tenant = await t.otherTenant({ clock: "manual", wallet_micros: 3 * brandPriceMicros, ...wish });
      const main = await tenant.main();
      const full = await balanceOf(tenant);
      const { exchange } = await registerBrand(t, main);
      // The charge may come later than the response.
      const left = await balanceOnce(t, tenant, (balance) => balance <= full - brandPriceMicros);
      t.equal("BRD-01", "the wallet, in millionths of a US dollar", left, full - brandPriceMicros, exchange);
      if (!wish.is_reseller) t.refused("BRD-03", await callBrand(t, main), "ResellerRequired");
    },
  }),
);
