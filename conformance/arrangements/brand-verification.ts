import { verifyBrand } from "../../generated/client/sandbox-registration.ts";
import { constants } from "../../generated/constants.ts";
import type { BrandVerification } from "../../generated/models/sandbox-registration.ts";
import { arrangement } from "./arrangement.ts";
import { member, noMembers } from "./hook-members.ts";

/** A brand, and what its verification is to come to. */
export interface VerifiedBrand extends BrandVerification {
  readonly brand_id: string;
}

/** A brand whose verification has ended. */
export const brandVerification = arrangement({
  need: "brand-verification",
  sandboxOperation: "verifyBrand",
  does: "end the verification of a brand",
  async sandbox({ ask, path }, { brand_id, ...body }: VerifiedBrand) {
    const at = { ...path, brand_id };
    await ask("end the verification of a brand", (transport) => verifyBrand(transport, { path: at, body }));
  },
  hook: {
    definition: {
      name: "verify_brand",
      says: "Has the verification of a brand end with a certain identity status, which it keeps.",
      unlocks: "campaigns, of brands that are verified and of brands that are not",
      input: {
        properties: {
          brand_id: { type: "string", description: "The brand, whose verification may have ended before." },
          verdict: {
            type: "string",
            enum: [constants.verifiedBrand, constants.vettedBrand, "failed"],
            description: "Its identity status from now on; failed: the one of a brand that could not be verified.",
          },
          organization_id: member.organization,
        },
      },
      answer: noMembers,
    },
    async ask(ask, verified) {
      await ask({ ...verified });
    },
  },
});
