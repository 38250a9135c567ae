import { check } from "../../context/check.ts";
import { brandPriceMicros, registerBrand } from "../../steps/brand.ts";
import { lastsLater } from "../../steps/later-state.ts";
import { balanceOf, balanceOnce } from "../../steps/lookup.ts";

/** A brand that was charged when it was registered. */
export const registeredBrand = check({
  id: "brands.charge-later",
  title: "A registered brand is charged its price once, and not again hours or days later",
  rules: ["BRD-01"],
  kind: "scenario",
  needs: ["state", "fresh-organization", "manual-clock"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    await lastsLater(t, "BRD-01", {
      begin: async () => {
        const tenant = await t.tenant({ clock: "manual" });
        return { tenant, main: await tenant.main() };
      },
      act: async ({ tenant, main }) => {
        const before = await balanceOf(tenant);
        const { exchange } = await registerBrand(t, main);
        await balanceOnce(t, tenant, (balance) => balance <= before - brandPriceMicros);
        return [exchange];
      },
      // The document does not say whether a brand has fees of another amount.
      isKept: (later, earlier) => earlier.wallet_micros - later.wallet_micros !== brandPriceMicros,
    });
  },
});
