import { createHash, timingSafeEqual } from "node:crypto";
import { bearerToken } from "../http/bearer-token.ts";
import { checkResponse } from "../http/check-response.ts";
import type { Step } from "../http/exchange.ts";
import { handle } from "../http/handle.ts";
import { sandboxRows } from "../http/service-rows.ts";
import { bodyAndQuery, path, type RequestValidation } from "../http/validate-request.ts";

/** Whoever has the sandbox token; there is but one. */
export interface SandboxCaller {
  readonly kind: "sandbox";
}

const validation = {
  rows: sandboxRows,
  naming: { detailsKeys: "name", badFields: "all" },
  refusals: ({ refusals }) => refusals,
} as const satisfies RequestValidation;

/** The way of a request to the sandbox, in order. */
export const sandboxPath = (token: string, production: boolean): readonly Step<SandboxCaller>[] => [
  sandboxEntry(token),
  path(validation),
  bodyAndQuery(validation),
  handle,
  ...(production ? [] : [checkResponse]),
];

/** Refuses whoever does not have the token. */
export function sandboxEntry(token: string): Step<SandboxCaller> {
  const wanted = digest(token);
  return function sandboxToken(exchange) {
    const given = bearerToken(exchange.request);
    // Digests have one length, so that the comparison tells nothing, not even how long the token is.
    if (given === null || !timingSafeEqual(digest(given), wanted))
      return sandboxRows.unauthorized('Send the sandbox token as "Authorization: Bearer <token>".');
    exchange.caller = { kind: "sandbox" };
    return null;
  };
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
