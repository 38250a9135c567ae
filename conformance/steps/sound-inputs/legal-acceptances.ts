import { Blocked } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import type { SoundInputs } from "../input-maker.ts";

export const soundInputs: SoundInputs<"legal-acceptances"> = {
  createLegalAcceptance: {
    async make(t, tenant) {
      if (!tenant.own)
        throw new Blocked(
          "the user may be somebody, for whom the kit accepts no legal document",
          "give the kit a sandbox, or a new_organization hook beside the sign_in hook",
        );
      const acceptance = { document: "terms_of_service", version: newLabel() };
      return { body: t.shapeRequest("createLegalAcceptance", acceptance) };
    },
  },
};
