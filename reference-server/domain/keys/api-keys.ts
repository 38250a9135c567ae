import type { Choices } from "../../../generated/choices.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { scopes as knownScopes } from "../../../generated/scopes.ts";
import { type Caller, holds } from "../organizations/caller.ts";
import type { World } from "../world.ts";
import { hashSecret, newSecret } from "./api-key-secret.ts";

/** A key as it is kept: of its secret only a hash. Instants are milliseconds since 1970. */
export interface ApiKey {
  readonly id: string;
  readonly organizationId: string;
  readonly label: string;
  readonly prefix: string;
  readonly secretHash: string;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

/** A secret to show once, and what is kept of it. */
export interface NewSecret {
  readonly plaintext: string;
  readonly prefix: string;
  readonly secretHash: string;
}

const known: ReadonlySet<string> = new Set(knownScopes);

export const isKnownScope = (scope: string): boolean => known.has(scope);

export function newKeySecret(world: Pick<World, "randomBytes">, choices: Pick<Choices, "prefixLength">): NewSecret {
  const plaintext = newSecret("key", world.randomBytes);
  return { plaintext, prefix: plaintext.slice(0, Number(choices.prefixLength)), secretHash: hashSecret(plaintext) };
}

/** A key without history. */
export function newKey(
  wanted: Pick<ApiKey, "id" | "organizationId" | "label" | "scopes" | "createdAt">,
  { prefix, secretHash }: NewSecret,
): ApiKey {
  return { ...wanted, prefix, secretHash, lastUsedAt: null, revokedAt: null };
}

/** Why the caller may not grant these scopes; null when it may. */
export function refuseGrant(caller: Caller, scopes: readonly string[], choices: Pick<Choices, "unknownBeforeUnheld">) {
  const unknown = refuseUnknown(scopes);
  const unheld = refuseUnheld(caller, scopes.filter(isKnownScope));
  return choices.unknownBeforeUnheld === "InvalidInput" ? (unknown ?? unheld) : (unheld ?? unknown);
}

function refuseUnknown(scopes: readonly string[]) {
  const unknown = scopes.find((scope) => !isKnownScope(scope));
  if (unknown === undefined) return null;
  return refuse.InvalidInput(`There is no scope ${quoted(unknown)}. Grant scopes that exist and that you hold.`);
}

function refuseUnheld(caller: Caller, scopes: readonly string[]) {
  const unheld = scopes.find((scope) => !holds(caller, scope));
  if (unheld === undefined) return null;
  return refuse.Forbidden(`You do not hold the scope ${quoted(unheld)}, so you cannot hand it on.`);
}

/** Why the caller may not rotate this key; null when it may. A key that the caller cannot see is null. */
export function refuseRotation(caller: Caller, key: ApiKey | null) {
  if (key === null) return keyNotFound();
  if (key.revokedAt !== null) return keyRevoked();
  // Whoever rotates a key gets its secret, and with it what the key may do.
  return refuseUnheld(caller, key.scopes);
}

/** A key with another secret, and the id that it is known by from then on. */
export const rotatedKey = (key: ApiKey, { prefix, secretHash }: NewSecret, id: string): ApiKey => ({
  ...key,
  id,
  prefix,
  secretHash,
});

/** One answer for an unknown key and for another organization's. */
export const keyNotFound = () => refuse.NotFound("There is no such API key.");

export const keyRevoked = () => refuse.Conflict("The key is revoked. Create a new one instead.");

/** A scope name as a message can show it: bounded, and on one line. */
const quoted = (scope: string): string => JSON.stringify(scope.length > 64 ? `${scope.slice(0, 64)}…` : scope);
