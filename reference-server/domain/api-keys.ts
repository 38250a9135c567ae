import { refuse } from "../../generated/error-rows.ts";
import type { CreateApiKeyRequest } from "../../generated/models/api-keys.ts";
import { scopes as knownScopes } from "../../generated/scopes.ts";
import { hashSecret, newSecret, prefixOf } from "./api-key-secret.ts";
import { type Caller, callerTime, holds } from "./caller.ts";
import type { World } from "./world.ts";

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

/** Characters of the prefix after the mark. */
const shownCharacters = 8;

const known: ReadonlySet<string> = new Set(knownScopes);

export const isKnownScope = (scope: string): boolean => known.has(scope);

export function newKeySecret(world: Pick<World, "randomBytes">): NewSecret {
  const plaintext = newSecret("key", world.randomBytes);
  return { plaintext, prefix: prefixOf(plaintext, shownCharacters), secretHash: hashSecret(plaintext) };
}

/** A key without history. */
export function freshKey(
  owner: { readonly organizationId: string; readonly now: number },
  wanted: { readonly label: string; readonly scopes: readonly string[] },
  secret: NewSecret,
  world: Pick<World, "newId">,
): ApiKey {
  return {
    id: world.newId(),
    organizationId: owner.organizationId,
    label: wanted.label,
    prefix: secret.prefix,
    secretHash: secret.secretHash,
    scopes: wanted.scopes,
    createdAt: owner.now,
    lastUsedAt: null,
    revokedAt: null,
  };
}

/** Why the caller may not grant these scopes; null when it may. */
export function refuseGrant(caller: Caller, scopes: CreateApiKeyRequest["scopes"]) {
  const unknown = scopes.find((scope) => !isKnownScope(scope));
  if (unknown !== undefined)
    return refuse.InvalidInput(`There is no scope ${quoted(unknown)}. Grant scopes that exist and that you hold.`);
  const unheld = scopes.find((scope) => !holds(caller, scope));
  if (unheld !== undefined)
    return refuse.Forbidden(`You do not hold the scope ${quoted(unheld)}, so you cannot grant it.`);
  return null;
}

/** Why the caller may not rotate this key; null when it may. A key that the caller cannot see is null. */
export function refuseRotation(caller: Caller, key: ApiKey | null) {
  if (key === null) return keyNotFound();
  if (key.revokedAt !== null) return keyRevoked();
  const unheld = key.scopes.find((scope) => !holds(caller, scope));
  if (unheld !== undefined)
    return refuse.Forbidden(`The key has the scope ${quoted(unheld)}, which you do not hold.`);
  return null;
}

/** One answer for an unknown key and for another organization's. */
export const keyNotFound = () => refuse.NotFound("There is no such API key.");

export const keyRevoked = () => refuse.Conflict("The key is revoked. Create a new one instead.");

export const creationTime = (caller: Caller, world: Pick<World, "now">): number => callerTime(caller, world.now());

/** A scope name as a message can show it: bounded, and on one line. */
const quoted = (scope: string): string => JSON.stringify(scope.length > 64 ? `${scope.slice(0, 64)}…` : scope);
