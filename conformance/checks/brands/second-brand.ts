import { constants } from "../../../generated/constants.ts";
import { bounds } from "../../../generated/limits.ts";
import { brandVerification } from "../../arrangements/brand-verification.ts";
import { check } from "../../context/check.ts";
import { errorOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import {
  brandIn,
  brandPriceMicros,
  callBrand,
  concludeBrand,
  concludedBrand,
  newBrandName,
  registerBrand,
  unhindered,
} from "../../steps/brand.ts";
import { leftAsItWas, untilAtRest, watchingEffects } from "../../steps/effect-of.ts";
import { balanceOf, balanceOnce } from "../../steps/lookup.ts";
import { isSameId } from "../../steps/settle.ts";
import { withoutEffect } from "../../steps/without-effect.ts";

/** A second brand of somebody who registers none on behalf of others. */
export const secondBrand = check({
  id: "brands.second-brand",
  title: "Without reseller mode a second brand is refused, and charged nothing",
  rules: ["BRD-03", "BRD-04"],
  kind: "scenario",
  needs: ["reseller-mode", "state"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant({ clock: "manual", is_reseller: false });
    const main = await tenant.main();
    const name = newBrandName();
    const { id } = brandIn(t, unhindered(await callBrand(t, main, name)));
    const refuseAgain = async (): Promise<void> => {
      const { exchange, before, after } = await effectOf(tenant, () => callBrand(t, main));
      t.refused("BRD-03", exchange, "ResellerRequired");
      t.equal("BRD-03", "error.details", errorOf(exchange)?.details, undefined, exchange);
      leftAsItWas(t, "BRD-04", { before, after }, exchange);
    };
    await refuseAgain();
    await refuseAgain();
    // Of one that is there already a server may say so, or show it: what is charged nothing is no second brand.
    const { exchange: again, before, after } = await effectOf(tenant, () => callBrand(t, main, name));
    t.verify("BRD-03", !isSuccess(again) || isSameId(brandIn(t, again).id, id), {
      expected: "a refusal of a second brand, of the name of the first",
      actual: summaryOf(again),
      exchanges: [again],
    });
    leftAsItWas(t, "BRD-04", { before, after }, again);
    if (!tenant.can(brandVerification)) return;
    for (const verdict of [constants.verifiedBrand, constants.vettedBrand]) {
      await concludeBrand(t, main, id, verdict);
      await refuseAgain();
    }
  }),
});

/** A second brand in place of one that could not be verified. */
export const failedBrand = check({
  id: "brands.failed-brand",
  title: "Without reseller mode a second brand is refused where the verification of the first has failed, too",
  rules: ["BRD-30"],
  kind: "scenario",
  needs: ["reseller-mode", "brand-verification"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual", is_reseller: false })).main();
    await concludedBrand(t, main, "failed");
    t.refused("BRD-30", await callBrand(t, main), "ResellerRequired");
  },
});

/** Another organization's brand. */
export const othersBrand = check({
  id: "brands.others-brand",
  title: "Another organization's brand does not count",
  rules: ["BRD-21"],
  kind: "scenario",
  needs: ["reseller-mode"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual", is_reseller: false })).main();
    const stranger = await (await t.otherTenant({ clock: "manual", is_reseller: false })).main();
    await registerBrand(t, stranger);
    t.accepted("BRD-21", await callBrand(t, main));
  },
});

const atOnce = 6;

/** Registrations that arrive together. */
export const brandsAtOnce = check({
  id: "brands.at-once",
  title: "Of registrations at once no more succeed, or are charged, than one after the other would",
  rules: ["BRD-20"],
  kind: "scenario",
  needs: ["reseller-mode", "state", "wallet"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const room = atOnce * brandPriceMicros;
    for (const { wish, most } of [
      { wish: { is_reseller: false, wallet_micros: room }, most: bounds.brandsWithoutResellerMode },
      { wish: { is_reseller: true, wallet_micros: 2 * brandPriceMicros }, most: 2 },
    ]) {
      const tenant = await t.otherTenant({ clock: "manual", ...wish });
      const main = await tenant.main();
      const exchanges = await Promise.all(Array.from({ length: atOnce }, () => callBrand(t, main)));
      const made = exchanges.filter(isSuccess);
      if (made.length === 0)
        throw new Blocked(
          `none of ${atOnce} registrations at once succeeded: ${exchanges.slice(0, 1).map(summaryOf)}`,
          "see BRD-01 first",
          "server",
        );
      t.verify("BRD-20", made.length <= most, {
        expected: `at most ${most} of ${atOnce} registrations at once to succeed`,
        actual: `${made.length} did`,
        exchanges: made.slice(0, most + 1),
      });
      // Charges may come later than the answers.
      await balanceOnce(t, tenant, (balance) => wish.wallet_micros - balance >= made.length * brandPriceMicros);
      await untilAtRest(t, tenant);
      const spent = wish.wallet_micros - (await balanceOf(tenant));
      t.equal("BRD-20", "what was charged", spent, made.length * brandPriceMicros, ...made.slice(0, 2));
    }
  },
});

/** A second brand that is refused, and the days after. */
export const secondBrandForGood = withoutEffect({
  operation: "createBrand",
  row: "ResellerRequired",
  needs: ["reseller-mode"],
  effects: ["creates", "spends"],
  draws: {},
  async begin(t) {
    const tenant = await t.tenant({ clock: "manual", is_reseller: false });
    const main = await tenant.main();
    brandIn(t, unhindered(await callBrand(t, main)));
    return { tenant, send: () => callBrand(t, main) };
  },
});
