import { refuse } from "../../../generated/error-rows.ts";
import type { Organization } from "./organization.ts";

/** Null when reseller mode may be turned on or off in an organization that has so many brands, or is so already. */
export function refuseResellerMode({ kind, isReseller }: Organization, wanted: boolean, brands: number) {
  if (wanted === isReseller) return null;
  if (wanted && kind !== "commercial")
    return refuse.ResellerNotEligible("Only a commercial organization can register brands on behalf of others.");
  if (!wanted && brands > 0)
    return refuse.ResellerHasBrands("The organization has brands, which its reseller mode is for.");
  return null;
}
