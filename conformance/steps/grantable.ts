import { operations } from "../../generated/operations.ts";
import { documentedScopes } from "../../generated/scopes.ts";
import type { Credential } from "../provision/tenant.ts";

/** Scope that reading a key needs: the least that a key can be given to be seen at work. */
export const readScope: string = operations.getApiKey.scope;

/** Scope that creating a key needs. */
export const writeScope: string = operations.createApiKey.scope;

/** Scopes of the document that a credential may grant; all of them when the kit does not know what it holds. */
export const grantable = ({ scopes }: Pick<Credential, "scopes">): readonly string[] =>
  scopes === null ? documentedScopes : documentedScopes.filter((scope) => scopes.includes(scope));

/** A scope that no document names, well-formed all the same. */
export const unknownScope = "bylaw_unknown:read";

/**
 * Scopes that a credential may grant for sure, so that nothing is refused for them; `readScope` alone where the kit knows of
 * no others.
 */
export function surelyGrantable(as: Pick<Credential, "scopes">): readonly string[] {
  const known = as.scopes === null ? [] : grantable(as);
  return known.length === 0 ? [readScope] : known;
}
