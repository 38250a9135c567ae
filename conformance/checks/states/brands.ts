import { constants } from "../../../generated/constants.ts";
import type { VerifiedBrand } from "../../arrangements/brand-verification.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Credential } from "../../provision/tenant.ts";
import { concludeBrand, concludedBrand } from "../../steps/brand.ts";
import { callCampaign } from "../../steps/campaign.ts";
import { walked } from "./walked.ts";

const { verifiedBrand, vettedBrand } = constants;

interface Brand {
  readonly as: Credential;
  readonly id: string;
}

const conclude =
  (verdict: VerifiedBrand["verdict"]) =>
  (t: CheckContext, { as, id }: Brand): Promise<void> =>
    concludeBrand(t, as, id, verdict);

/** A brand whose verification comes to this or that. */
export const brandStates = walked({
  entity: "brand",
  title: "A brand can have a campaign while it is verified or vetted, however it came to be so, and not otherwise",
  needs: ["brand-verification", "state"],
  effects: ["creates", "spends"],
  starts: [{ state: "not verified", facts: { campaigns: 0 } }],
  async begin(t): Promise<Brand> {
    const as = await (await t.otherTenant({ clock: "manual" })).main();
    return { as, id: (await concludedBrand(t, as, "failed")).id };
  },
  calls: { createCampaign: (t, { as, id }) => callCampaign(t, as, id) },
  holds: {},
  becomes: { createCampaign: ({ campaigns }) => ({ campaigns: campaigns + 1 }) },
  // A second campaign of one brand may be refused for that, whatever became of the brand.
  within: ({ campaigns }) => campaigns <= 1,
  left: [
    {
      state: "not verified",
      call: "createCampaign",
      where: ({ campaigns }) => campaigns > 0,
      decidedBy: "campaigns.of-unverified-brand",
    },
  ],
  steps: {
    verify: {
      becomes: ({ state, facts }) => (state === verifiedBrand ? null : { state: verifiedBrand, facts }),
      run: conclude(verifiedBrand),
    },
    vet: {
      becomes: ({ state, facts }) => (state === vettedBrand ? null : { state: vettedBrand, facts }),
      run: conclude(vettedBrand),
    },
    fail: {
      becomes: ({ state, facts }) => (state === "not verified" ? null : { state: "not verified", facts }),
      run: conclude("failed"),
    },
  },
});
