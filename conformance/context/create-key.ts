import { operations } from "../../generated/operations.ts";
import { rowNamed } from "../exchange/admits.ts";
import { codeOf, dataOf, objectOf, summaryOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import { newLabel } from "../provision/new-label.ts";
import type { Credential } from "../provision/tenant.ts";
import type { CheckContext, CreatedKey } from "./context.ts";
import { control } from "./control.ts";

/** Creates a key through the API under test. Blocks when that is refused. */
export async function createKey(
  call: CheckContext["call"],
  as: Credential,
  scopes: readonly string[],
): Promise<CreatedKey> {
  const body = { label: newLabel(), scopes };
  const answer = await call("createApiKey", { body }, as);
  // What a given key may do the kit was not told.
  if (as.scopes === null && codeOf(answer) === rowNamed("Forbidden").code) {
    const wanted = [...new Set([operations.createApiKey.scope, ...scopes])].join(" and ");
    throw new Blocked(`creating a key was answered ${summaryOf(answer)}`, `give the kit a key that holds ${wanted}`);
  }
  const exchange = control(answer, "creating a key");
  const data = objectOf(dataOf(exchange)) ?? {};
  const { id, plaintext } = data;
  if (typeof id !== "string" || typeof plaintext !== "string") {
    const unblock = "see the rules on the answer of a creation first";
    throw new Blocked("the created key has no id or no plaintext", unblock, "server");
  }
  const credential = { name: `new key with ${scopes.join(", ")}`, token: plaintext, id, scopes, tenant: as.tenant };
  return { credential, id, data, exchange };
}
