import { newShared, type Shared } from "../provision/shared.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import type { CreatedKey } from "./context.ts";

/** Keys that the checks of a run share, by creator and scopes. */
const sharedKeys = new WeakMap<Tenant, Shared<string, CreatedKey>>();

/** One key for all who ask for the same one; `create` makes it. What could not be made is tried again by the next. */
export function sharedKey(
  as: Credential,
  scopes: readonly string[],
  create: () => Promise<CreatedKey>,
): Promise<CreatedKey> {
  const known = sharedKeys.get(as.tenant) ?? newShared<string, CreatedKey>();
  sharedKeys.set(as.tenant, known);
  return known.get(`${as.token} ${scopes.join(" ")}`, create);
}
