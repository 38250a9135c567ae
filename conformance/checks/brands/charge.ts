import { constants } from "../../../generated/constants.ts";
import { brandVerification } from "../../arrangements/brand-verification.ts";
import { check } from "../../context/check.ts";
import { errorOf, summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { microsInCent } from "../../steps/billing.ts";
import {
  brandIn,
  brandPriceMicros,
  callBrand,
  concludeBrand,
  judgeUnverified,
  registerBrand,
  unhindered,
} from "../../steps/brand.ts";
import { leftAsItWas, watchingEffects } from "../../steps/effect-of.ts";
import { balanceOf, balanceOnce } from "../../steps/lookup.ts";

/** What a brand costs. */
export const charge = check({
  id: "brands.charge",
  title: "Registering a brand charges its price, once",
  rules: ["BRD-01"],
  kind: "scenario",
  needs: ["state", "fresh-organization"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const full = await balanceOf(tenant);
    const { id, exchange } = await registerBrand(t, main);
    // The charge may come later than the answer.
    const charged = await balanceOnce(t, tenant, (balance) => balance <= full - brandPriceMicros);
    t.equal("BRD-01", "the wallet, in millionths of a US dollar", charged, full - brandPriceMicros, exchange);
    if (!tenant.can(brandVerification)) return;
    // Neither its verification nor a closer look is a registration.
    for (const verdict of [constants.verifiedBrand, constants.vettedBrand]) {
      const before = await balanceOf(tenant);
      await concludeBrand(t, main, id, verdict);
      const cost = before - (await balanceOf(tenant));
      t.verify("BRD-01", cost === 0, {
        expected: "nothing charged for its verification",
        actual: `${cost} millionths of a US dollar`,
        exchanges: [exchange],
        // What a closer look costs by itself is not shown.
        warnOnly: verdict === constants.vettedBrand && cost !== brandPriceMicros,
      });
    }
  },
});

/** US cents that leave too little where they less the price are reckoned in binary fractions of a dollar and cut off. */
const oddBalances = [820, 829, 1010] as const;

/** What a brand costs who has an amount that is no binary fraction of a dollar. */
export const chargeOfOddBalance = check({
  id: "brands.charge-of-odd-balance",
  title: "Registering a brand charges its price exactly, whatever is in the wallet",
  rules: ["BRD-01"],
  kind: "scenario",
  needs: ["state", "wallet"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    for (const cents of oddBalances) {
      const tenant = await t.tenant({ clock: "manual", wallet_micros: cents * microsInCent });
      const { exchange } = await registerBrand(t, await tenant.main());
      const left = cents * microsInCent - brandPriceMicros;
      const after = await balanceOnce(t, tenant, (balance) => balance <= left);
      t.equal("BRD-01", "the wallet, in millionths of a US dollar", after, left, exchange);
    }
  },
});

/** Brands of a reseller. */
export const ofReseller = check({
  id: "brands.of-reseller",
  title: "In reseller mode further brands are registered, each for its price",
  rules: ["BRD-05", "BRD-06"],
  kind: "scenario",
  needs: ["state", "reseller-mode"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual", is_reseller: true })).main();
    const full = await balanceOf(main.tenant);
    judgeUnverified(t, (await registerBrand(t, main)).exchange);
    // Charges may come later than the answers: what all come to is known.
    for (let count = 2; count <= 3; count += 1) {
      const exchange = await callBrand(t, main);
      if (!t.accepted("BRD-05", exchange)) continue;
      judgeUnverified(t, exchange);
      const wanted = full - count * brandPriceMicros;
      const after = await balanceOnce(t, main.tenant, (balance) => balance <= wanted);
      t.equal("BRD-05", "the wallet, in millionths of a US dollar", after, wanted, exchange);
    }
  },
});

/** Registrations that the wallet does not cover. */
export const uncovered = check({
  id: "brands.uncovered",
  title: "A brand that the wallet does not cover is refused, and changes nothing",
  rules: ["BRD-02"],
  kind: "scenario",
  needs: ["state", "wallet"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    // With what a brand costs, and no more, one is registered.
    const covered = await t.tenant({ clock: "manual", wallet_micros: brandPriceMicros });
    const last = await callBrand(t, await covered.main());
    t.verify("BRD-02", !answeredBy(last, "InsufficientCredit"), {
      expected: `a brand for ${brandPriceMicros} millionths of a US dollar, which is its price`,
      actual: summaryOf(last),
      exchanges: [last],
    });
    brandIn(t, unhindered(last));
    for (const wallet_micros of [0, 1, brandPriceMicros - 1]) {
      const poor = await t.otherTenant({ clock: "manual", wallet_micros });
      const main = await poor.main();
      for (let count = 1; count <= 2; count += 1) {
        const { exchange, before, after } = await effectOf(poor, () => callBrand(t, main));
        t.refused("BRD-02", exchange, "InsufficientCredit");
        t.equal("BRD-02", "error.details", errorOf(exchange)?.details, undefined, exchange);
        leftAsItWas(t, "BRD-02", { before, after }, exchange);
      }
    }
  }),
});
