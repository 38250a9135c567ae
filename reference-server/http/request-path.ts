import type { Caller } from "../domain/caller.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";
import { authenticate } from "./authenticate.ts";
import { callerKind, platformHeader, scope } from "./authorize.ts";
import { checkResponse } from "./check-response.ts";
import type { Step } from "./exchange.ts";
import { handle } from "./handle.ts";
import { outage } from "./outage.ts";
import { rateLimit } from "./rate-limit.ts";
import { bodyAndQuery, path } from "./validate-request.ts";

export interface RequestPathParts {
  readonly store: Store;
  readonly world: World;
  readonly sandbox: boolean;
  readonly production: boolean;
}

/**
 * The way of every request to an operation of the messaging API, in order. Before it the request has its id, and
 * after it, or after the step that refused, comes the envelope.
 */
export function requestPath({ store, world, sandbox, production }: RequestPathParts): readonly Step<Caller>[] {
  return [
    authenticate(store, world),
    ...(sandbox ? [outage(store)] : []),
    platformHeader(store),
    callerKind,
    scope,
    path,
    bodyAndQuery,
    rateLimit(store, world),
    handle,
    ...(production ? [] : [checkResponse]),
  ];
}
