import { organizationState } from "../arrangements/organization-state.ts";
import type { Tenant } from "../provision/tenant.ts";

/** An organization's present, in milliseconds since 1970: a clock that the kit moves shows another time than its own. */
export const organizationTime = async (tenant: Tenant): Promise<number> =>
  tenant.manualClock && tenant.can(organizationState)
    ? Date.parse((await tenant.arrange(organizationState, {})).now)
    : Date.now();
