import { constants } from "../../../generated/constants.ts";
import { brandVerification } from "../../arrangements/brand-verification.ts";
import { check } from "../../context/check.ts";
import { errorOf, isSuccess } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { concludeBrand, concludedBrand, isVerifiedStatus, registerBrand, statusOfBrand } from "../../steps/brand.ts";
import { callCampaign, campaignIn } from "../../steps/campaign.ts";
import { leftAsItWas, watchingEffects } from "../../steps/effect-of.ts";
import { eventually } from "../../steps/settle.ts";

/** Campaigns of brands that may have them. */
export const ofVerifiedBrand = check({
  id: "campaigns.of-verified-brand",
  title: "A brand that is verified, or was looked at more closely, can have campaigns",
  rules: ["BRD-08", "BRD-09"],
  kind: "scenario",
  needs: ["key", "brand-verification"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    for (const [rule, verdict] of [
      ["BRD-08", constants.verifiedBrand],
      ["BRD-09", constants.vettedBrand],
    ] as const) {
      const main = await (await t.otherTenant({ clock: "manual" })).main();
      const { id } = await concludedBrand(t, main, verdict);
      t.accepted(rule, await callCampaign(t, main, id));
    }
  },
});

/** Campaigns of brands that may have none. */
export const ofUnverifiedBrand = check({
  id: "campaigns.of-unverified-brand",
  title: "A brand that is not verified, or could not be, can have no campaign",
  rules: ["BRD-07", "BRD-24"],
  kind: "scenario",
  needs: ["key", "brand-verification", "reseller-mode", "state"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant({ clock: "manual", is_reseller: true });
    const main = await tenant.main();
    // That another brand of the organization is verified does not matter.
    const verified = await concludedBrand(t, main, constants.verifiedBrand);
    campaignIn(t, await callCampaign(t, main, verified.id));
    const failed = await concludedBrand(t, main, "failed");
    const fresh = await registerBrand(t, main);
    for (const { id } of [failed, fresh, verified]) {
      // What is no longer verified gets no further campaign either.
      if (id === verified.id) await concludeBrand(t, main, id, "failed");
      const { exchange, before, after } = await effectOf(tenant, () => callCampaign(t, main, id));
      const status = await statusOfBrand(t, main, id);
      if (isVerifiedStatus(status))
        throw new Blocked(
          `the identity status of a brand was ${status} by the time that it was asked for a campaign`,
          "have brands of organizations with a manual clock verified no sooner than asked",
        );
      // A brand that has a campaign may be refused a further one for that.
      if (id === verified.id && answeredBy(exchange, "Conflict")) continue;
      t.refused("BRD-07", exchange, "BrandNotVerified");
      t.equal("BRD-07", "error.details", errorOf(exchange)?.details, undefined, exchange);
      leftAsItWas(t, "BRD-24", { before, after }, exchange);
    }
    // The same brand, once it is verified.
    await concludeBrand(t, main, fresh.id, constants.vettedBrand);
    t.control(await callCampaign(t, main, fresh.id), "registering a campaign of a brand that is verified by now");
  }),
});

/** A brand that is read before its verification has ended, and after. */
export const shownStatus = check({
  id: "campaigns.shown-status",
  title: "A brand that gets a campaign is shown as verified, though it was read before it was",
  rules: ["BRD-07"],
  kind: "scenario",
  needs: ["key", "brand-verification"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.otherTenant({ clock: "manual" });
    const main = await tenant.main();
    const { id } = await registerBrand(t, main);
    await statusOfBrand(t, main, id);
    await tenant.arrange(brandVerification, { brand_id: id, verdict: constants.verifiedBrand });
    const met = await eventually(t, tenant, async () => {
      const exchange = await callCampaign(t, main, id);
      return isSuccess(exchange) ? exchange : null;
    });
    if (met === null)
      throw new Blocked("a brand that was to be verified gets no campaign", "see BRD-08 first", "server");
    const isShown = await eventually(t, tenant, async () =>
      isVerifiedStatus(await statusOfBrand(t, main, id)) ? true : null,
    );
    t.verify("BRD-07", isShown === true, {
      expected: "a campaign of a brand that is shown as verified",
      actual: `the brand has the identity status ${await statusOfBrand(t, main, id)}`,
      exchanges: [met],
    });
  },
});
