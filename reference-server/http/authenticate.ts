import { hashSecret, sameHash, secretKind } from "../domain/keys/api-key-secret.ts";
import type { ApiKey } from "../domain/keys/api-keys.ts";
import type { Caller } from "../domain/organizations/caller.ts";
import type { Organization } from "../domain/organizations/organization.ts";
import type { Store } from "../store/store.ts";
import { bearerToken } from "./bearer-token.ts";
import type { Exchange, Step } from "./exchange.ts";
import type { ServiceRows } from "./service-rows.ts";

/** The same for every cause, so that nobody learns which part of a credential was right. */
const message = 'Authentication failed. Send a valid key as "Authorization: Bearer <key>".';

/** Called with each key that authenticated; null where there is nothing to wait for. */
export type NoteUse = (key: ApiKey, organization: Organization) => Promise<void> | null;

/** 401 unless the request carries the secret of a living key or session. */
export function authenticate(store: Store, noteUse: NoteUse, rows: ServiceRows): Step<Caller> {
  return async function authenticate(exchange) {
    const token = bearerToken(exchange.request);
    const caller = token === null ? null : await callerWith(token, store, noteUse);
    if (caller === null) return rows.unauthorized(message);
    setCaller(exchange, caller);
    return null;
  };
}

/** From here on the request is made by this caller, and logged under its organization. */
export function setCaller(exchange: Exchange<Caller>, caller: Caller): void {
  exchange.caller = caller;
  exchange.response.locals.organizationId = caller.organization.id;
}

function callerWith(token: string, store: Store, noteUse: NoteUse): Promise<Caller | null> | null {
  const kind = secretKind(token);
  if (kind === null) return null;
  const hash = hashSecret(token);
  switch (kind) {
    case "key":
      return keyCaller(hash, store, noteUse);
    case "session":
      return sessionCaller(hash, store);
  }
}

async function keyCaller(hash: string, store: Store, noteUse: NoteUse): Promise<Caller | null> {
  const found = await store.keyByHash(hash);
  if (found === null || !sameHash(found.key.secretHash, hash) || found.key.revokedAt !== null) return null;
  const { key, organization } = found;
  await noteUse(key, organization);
  return { kind: "key", id: key.id, organization, scopes: new Set(key.scopes) };
}

async function sessionCaller(hash: string, store: Store): Promise<Caller | null> {
  const found = await store.sessionByHash(hash);
  if (found === null || !sameHash(found.session.tokenHash, hash)) return null;
  const { session, organization } = found;
  return { kind: "session", id: session.id, userId: session.userId, staff: session.staff, organization };
}
