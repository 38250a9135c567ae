import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { check } from "../../context/check.ts";
import { codeOf, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { concludedBrand, registerBrand } from "../../steps/brand.ts";
import { callCampaign } from "../../steps/campaign.ts";
import { isRefused } from "../../steps/endpoint.ts";
import { neverIssued } from "../../steps/never-issued.ts";
import { withoutEffect } from "../../steps/without-effect.ts";

/** Campaigns of brands that are not the organization's own. */
export const foreignBrand = check({
  id: "campaigns.foreign-brand",
  title: "Another organization's brand can have no campaign here, as if it never was",
  rules: ["BRD-25"],
  kind: "sampled",
  needs: ["other-organization", "brand-verification"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const stranger = await (await t.otherTenant({ clock: "manual" })).main();
    const own = await concludedBrand(t, main, constants.verifiedBrand);
    t.control(await callCampaign(t, main, own.id), "registering a campaign");
    const theirs = [await concludedBrand(t, stranger, constants.verifiedBrand)];
    if (stranger.tenant.fresh) theirs.push(await registerBrand(t, stranger));
    const unknown = await callCampaign(t, main, neverIssued(own.id, t.random));
    for (const { id } of theirs) {
      const foreign = await callCampaign(t, main, id);
      t.verify("BRD-25", isRefused(foreign), {
        expected: "a refusal",
        actual: summaryOf(foreign),
        exchanges: [foreign],
      });
      t.verify("BRD-25", statusOf(foreign) === statusOf(unknown) && codeOf(foreign) === codeOf(unknown), {
        expected: `${summaryOf(unknown)}, as for a brand that never was`,
        actual: summaryOf(foreign),
        exchanges: [unknown, foreign],
      });
    }
  },
});

/** What a campaign leaves behind whose brand never was. */
export const brandlessCampaign = withoutEffect({
  operation: "createCampaign",
  row: "NotFound",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  async begin(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    return { tenant, send: () => callCampaign(t, main, randomUUID()) };
  },
});
