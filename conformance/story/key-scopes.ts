import { objectOf } from "../exchange/exchange.ts";
import { parsedBody } from "./parsed-body.ts";
import type { Step } from "./step.ts";

/** The key that the sandbox made in a step, with the scopes that it was asked for; null for none. */
export function keyIn({
  through,
  what,
  request,
  outcome,
}: Step): { readonly secret: string; readonly scopes: readonly string[] } | null {
  if (through !== "sandbox" || !/^create a key\b/.test(what ?? "") || outcome?.kind !== "response") return null;
  const secret = objectOf(objectOf(outcome.json)?.data)?.plaintext;
  const scopes = scopesIn(request?.body ?? null);
  return typeof secret === "string" && scopes.length > 0 ? { secret, scopes } : null;
}

/** The scopes that a key is asked for with. */
export function scopesIn(body: string | null): readonly string[] {
  const scopes = objectOf(parsedBody(body))?.scopes;
  return Array.isArray(scopes) ? scopes.map(String) : [];
}
