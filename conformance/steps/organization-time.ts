import type { Tenant } from "../provision/tenant.ts";

/** An organization's present, in milliseconds since 1970: a clock that the kit moves shows another time than its own. */
export const organizationTime = (tenant: Tenant): Promise<number> => tenant.now();
