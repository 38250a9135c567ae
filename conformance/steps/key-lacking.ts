import type { Credential, Tenant } from "../provision/tenant.ts";
import { readScope, writeScope } from "./grantable.ts";

/** Scopes of a key that works but has not this scope. */
export const scopesLacking = (scope: string): readonly string[] => [scope === readScope ? writeScope : readScope];

/** A key of the organization that works but has not this scope. */
export const keyLacking = (scope: string, tenant: Tenant): Promise<Credential> => tenant.keyWith(scopesLacking(scope));
