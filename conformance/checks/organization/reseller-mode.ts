import { constants } from "../../../generated/constants.ts";
import { bounds } from "../../../generated/limits.ts";
import { brandVerification } from "../../arrangements/brand-verification.ts";
import { organizationState } from "../../arrangements/organization-state.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, errorOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import type { Tenant } from "../../provision/tenant.ts";
import { asTimePasses } from "../../steps/as-time-passes.ts";
import { callBrand, concludeBrand, coveredBrand, registerBrand } from "../../steps/brand.ts";
import { leftAsItWas, stateText, untilAtRest, watchingEffects } from "../../steps/effect-of.ts";
import { callReseller, resellerBody } from "../../steps/reseller-mode.ts";
import { withoutEffect } from "../../steps/without-effect.ts";

/** Reseller mode of a personal organization. */
export const ofPersonal = check({
  id: "organization.of-personal",
  title: "A personal organization cannot turn reseller mode on, a commercial one can",
  rules: ["ORG-01", "ORG-02", "ORG-05"],
  kind: "scenario",
  needs: ["organization-kind", "reseller-mode", "state"],
  effects: ["creates"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const wish = { clock: "manual", is_reseller: false } as const;
    const commercial = await (await t.tenant({ ...wish, kind: "commercial" })).main();
    t.accepted("ORG-02", await callReseller(t, commercial, true));
    const tenant = await t.otherTenant({ ...wish, kind: "personal" });
    const personal = await tenant.main();
    for (let count = 1; count <= 2; count += 1) {
      const { exchange, before, after } = await effectOf(tenant, () => callReseller(t, personal, true));
      t.refused("ORG-01", exchange, "ResellerNotEligible");
      t.equal("ORG-05", "error.details", errorOf(exchange)?.details, undefined, exchange);
      leftAsItWas(t, "ORG-05", { before, after }, exchange);
    }
    // Its state may hold back what the call did: brands show it.
    await registerBrand(t, personal);
    t.refused("ORG-05", coveredBrand(await callBrand(t, personal)), "ResellerRequired");
  }),
});

/** Reseller mode of an organization that has brands. */
export const withBrands = check({
  id: "organization.with-brands",
  title: "Reseller mode cannot be turned off while there is a brand, and can while there is none",
  rules: ["ORG-03", "ORG-04", "ORG-05"],
  kind: "scenario",
  needs: ["reseller-mode", "state"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const wish = { clock: "manual", is_reseller: true } as const;
    t.accepted("ORG-04", await callReseller(t, await (await t.otherTenant(wish)).main(), false));
    const tenant = await t.tenant(wish);
    const main = await tenant.main();
    // One brand is enough to be in the way, though it needs no reseller mode.
    await registerBrand(t, main);
    for (let count = 1; count <= 2; count += 1) {
      const { exchange, before, after } = await effectOf(tenant, () => callReseller(t, main, false));
      t.refused("ORG-03", exchange, "ResellerHasBrands");
      t.equal("ORG-05", "error.details", errorOf(exchange)?.details, undefined, exchange);
      leftAsItWas(t, "ORG-05", { before, after }, exchange);
      // What a first call did away with no second one does: brands show it.
      t.accepted("ORG-05", coveredBrand(await callBrand(t, main)));
    }
    if (!tenant.can(brandVerification)) return;
    // Whether one that could not be verified is a brand is open.
    const other = await (await t.otherTenant(wish)).main();
    const { id } = await registerBrand(t, other);
    for (const verdict of [constants.verifiedBrand, constants.vettedBrand]) {
      await concludeBrand(t, other, id, verdict);
      t.refused("ORG-03", await callReseller(t, other, false), "ResellerHasBrands");
    }
  }),
});

/** Updates that are refused for what the organization is or has, with the target's own properties as far as it names some. */
export const refusedSettings = [
  withoutEffect({
    operation: "updateOrganization",
    row: "ResellerNotEligible",
    needs: ["organization-kind", "reseller-mode"],
    effects: ["creates"],
    draws: {},
    async begin(t) {
      const tenant = await t.otherTenant({ clock: "manual", kind: "personal", is_reseller: false });
      return { tenant, send: await settingsUpdate(t, tenant, true) };
    },
  }),
  withoutEffect({
    operation: "updateOrganization",
    row: "ResellerHasBrands",
    needs: ["reseller-mode"],
    effects: ["creates", "spends"],
    draws: {},
    async begin(t) {
      const tenant = await t.otherTenant({ clock: "manual", is_reseller: true });
      await registerBrand(t, await tenant.main());
      return { tenant, send: await settingsUpdate(t, tenant, false) };
    },
  }),
];

/** Sends an update of reseller mode and of the target's own properties. */
async function settingsUpdate(t: CheckContext, tenant: Tenant, isOn: boolean): Promise<() => Promise<Exchange>> {
  const main = await tenant.main();
  const plain = resellerBody(t, isOn);
  const body = t.withExtra("updateOrganization", plain, "second") ?? plain;
  return () => t.call("updateOrganization", { body }, main);
}

/** An update that does not speak of reseller mode. */
export const unmentioned = check({
  id: "organization.unmentioned",
  title: "An update that does not name reseller mode leaves it on, and no time that passes turns it off",
  rules: ["ORG-10"],
  kind: "scenario",
  needs: ["reseller-mode"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual", is_reseller: true });
    const main = await tenant.main();
    const exchange = await t.call("updateOrganization", { body: {} }, main);
    if (!isSuccess(exchange)) throw new NotApplicable(`an update of nothing was answered ${summaryOf(exchange)}`);
    await registerBrand(t, main);
    const judge = async (): Promise<unknown> => t.accepted("ORG-10", coveredBrand(await callBrand(t, main)));
    await judge();
    await asTimePasses(tenant, "reseller mode", judge);
  },
});

/** Reseller mode of others. */
export const ofOthers = check({
  id: "organization.of-others",
  title: "What an organization changes leaves another one as it was",
  rules: ["ORG-11"],
  kind: "scenario",
  needs: ["reseller-mode", "state"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    // One that is a reseller may be one: others could be personal.
    const main = await (await t.tenant({ clock: "manual", is_reseller: true })).main();
    const [off, on] = [
      await t.otherTenant({ clock: "manual", is_reseller: false }),
      await t.otherTenant({ clock: "manual", is_reseller: true }),
    ];
    const [first, other] = [await off.main(), await on.main()];
    await registerBrand(t, first);
    await registerBrand(t, other);
    const stateOf = async (tenant: Tenant): Promise<string> => stateText(await tenant.arrange(organizationState, {}));
    for (const wanted of [false, true]) {
      for (const tenant of [off, on]) await untilAtRest(t, tenant);
      const before = [await stateOf(off), await stateOf(on)];
      const exchange = t.control(await callReseller(t, main, wanted), "changing reseller mode");
      t.equal("ORG-11", "the states of other organizations", [await stateOf(off), await stateOf(on)], before, exchange);
      t.refused("ORG-11", coveredBrand(await callBrand(t, first)), "ResellerRequired");
      t.accepted("ORG-11", coveredBrand(await callBrand(t, other)));
    }
  },
});

const rounds = 3;

/** Registrations while reseller mode is turned off. */
export const offAtOnce = check({
  id: "organization.off-at-once",
  title: "If reseller mode is turned off while brands are registered, at most one of the brands is registered",
  rules: ["ORG-03"],
  kind: "scenario",
  needs: ["reseller-mode"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    for (let round = 1; round <= rounds; round += 1) {
      const main = await (await t.otherTenant({ clock: "manual", is_reseller: true })).main();
      const register = () => callBrand(t, main);
      const [first, off, second] = await Promise.all([register(), callReseller(t, main, false), register()]);
      const made = [first, second].filter(isSuccess);
      t.verify("ORG-03", !isSuccess(off) || made.length <= bounds.brandsWithoutResellerMode, {
        expected: "reseller mode turned off before there is a brand, or refused",
        actual: `${summaryOf(off)}, and ${made.length} brands`,
        exchanges: [off, ...made],
      });
    }
  },
});
