import type { IncomingMessage } from "node:http";
import { hashSecret, sameHash, secretKind } from "../domain/api-key-secret.ts";
import type { Caller } from "../domain/caller.ts";
import { timeOf } from "../domain/clock.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";
import type { Step } from "./exchange.ts";
import { serviceRows } from "./service-rows.ts";

/** The same for every cause, so that nobody learns which part of a credential was right. */
const unauthenticated = () =>
  serviceRows.api.unauthorized("Authentication failed. Send a valid key as \"Authorization: Bearer <key>\".");

/** A use is noted again only when the noted one is this old. */
const noteUseAfterMilliseconds = 60_000;

/** 401 unless the request carries the secret of a living key or session. */
export function authenticate(store: Store, world: World): Step<Caller> {
  return async function authenticate(exchange) {
    const token = bearerToken(exchange.request);
    exchange.caller = token === null ? null : await callerWith(token, store, world);
    return exchange.caller === null ? unauthenticated() : null;
  };
}

/** The token of a single well-formed `Authorization: Bearer` header. */
export function bearerToken(request: IncomingMessage): string | null {
  const headers = request.headersDistinct.authorization ?? [];
  const [only = ""] = headers;
  return headers.length === 1 ? (/^bearer +(\S+)$/i.exec(only)?.[1] ?? null) : null;
}

async function callerWith(token: string, store: Store, world: World): Promise<Caller | null> {
  const kind = secretKind(token);
  if (kind === null) return null;
  const hash = hashSecret(token);
  switch (kind) {
    case "key":
      return keyCaller(hash, store, world);
    case "session":
      return sessionCaller(hash, store);
  }
}

async function keyCaller(hash: string, store: Store, world: World): Promise<Caller | null> {
  const found = await store.keyByHash(hash);
  if (found === null || !sameHash(found.key.secretHash, hash) || found.key.revokedAt !== null) return null;
  const { key, organization } = found;
  const now = timeOf(organization.clock, world.now());
  if (key.lastUsedAt === null || key.lastUsedAt <= now - noteUseAfterMilliseconds)
    await store.noteKeyUse(key.id, now, now - noteUseAfterMilliseconds);
  return { kind: "key", keyId: key.id, organization, scopes: new Set(key.scopes) };
}

async function sessionCaller(hash: string, store: Store): Promise<Caller | null> {
  const found = await store.sessionByHash(hash);
  if (found === null || !sameHash(found.session.tokenHash, hash)) return null;
  return { kind: "session", staff: found.session.staff, organization: found.organization };
}
