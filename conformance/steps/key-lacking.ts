import type { Credential, Tenant } from "../provision/tenant.ts";
import { readScope, writeScope } from "./grantable.ts";

/** A key of the organization that works but has not this scope. */
export const keyLacking = (scope: string, tenant: Tenant): Promise<Credential> =>
  tenant.keyWith([scope === readScope ? writeScope : readScope]);
