import { refuse } from "../../../generated/error-rows.ts";
import { isDormant } from "../organizations/organization.ts";

/** Null when the plan lets its organization say itself that recipients consent. */
export const refuseDormantPlan = ({ plan }: { readonly plan: string }) =>
  isDormant(plan)
    ? refuse.PlanRequired(
        "The organization's plan does not include this. Have recipients confirm by double opt-in or on the hosted form.",
      )
    : null;
