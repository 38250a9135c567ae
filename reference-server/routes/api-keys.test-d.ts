import { refuse } from "../../generated/error-rows.ts";
import type { ApiKeysHandlers } from "../../generated/server/api-keys.ts";
import type { Caller } from "../domain/organizations/caller.ts";
import { apiKeysHandlers } from "./api-keys.ts";

/* Read by the type checker only: a line below an expected error that is none fails it. */

apiKeysHandlers satisfies (...parts: never[]) => ApiKeysHandlers<Caller>;

type Handlers = ReturnType<typeof apiKeysHandlers>;
declare const handlers: Handlers;
declare const caller: Caller;
handlers satisfies { readonly [Operation in keyof ApiKeysHandlers<Caller>]: ApiKeysHandlers<Caller>[Operation] };

const key = await handlers.getApiKey({ path: { id: "" } }, caller);
// @ts-expect-error A read key has no secret.
key satisfies { readonly plaintext: string };

({
  ...handlers,
  // @ts-expect-error The contract lists no conflict for reading a key.
  getApiKey: async () => refuse.Conflict("not listed"),
}) satisfies ApiKeysHandlers<Caller>;

({
  ...handlers,
  // @ts-expect-error A created key comes with its secret.
  createApiKey: async () => key,
}) satisfies ApiKeysHandlers<Caller>;

({
  ...handlers,
  // @ts-expect-error The contract has no such parameter.
  getApiKey: async ({ path }) => (path.name === "" ? refuse.NotFound("") : key),
}) satisfies ApiKeysHandlers<Caller>;

// @ts-expect-error Every operation has a handler.
({ createApiKey: handlers.createApiKey, getApiKey: handlers.getApiKey }) satisfies ApiKeysHandlers<Caller>;
