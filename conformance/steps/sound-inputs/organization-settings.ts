import { Blocked } from "../../outcome/verdict.ts";
import type { SoundInputs } from "../input-maker.ts";
import { callReseller, resellerBody } from "../reseller-mode.ts";

export const soundInputs: SoundInputs<"organization-settings"> = {
  updateOrganization: {
    // A change that is in effect already may be a conflict, so each turns off what is on.
    async make(t, tenant) {
      if (!tenant.own)
        throw new Blocked(
          "the kit changes the settings of no organization that others use",
          "give the kit a sandbox, or a new_organization hook",
        );
      await callReseller(t, await tenant.main(), true);
      return { body: resellerBody(t, false) };
    },
  },
};
