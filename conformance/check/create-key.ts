import { dataOf, objectOf } from "../exchange/exchange.ts";
import type { Credential } from "../ladder/tenant.ts";
import type { CheckContext, CreatedKey } from "./context.ts";
import { control } from "./control.ts";
import { newLabel } from "./new-label.ts";
import { Blocked } from "./verdict.ts";

/** Creates a key through the API under test. Blocks when that is refused. */
export async function createKey(
  call: CheckContext["call"],
  as: Credential,
  scopes: readonly string[],
): Promise<CreatedKey> {
  const body = { label: newLabel(), scopes };
  const exchange = control(await call("createApiKey", { body }, as), "creating a key");
  const data = objectOf(dataOf(exchange)) ?? {};
  const { id, plaintext } = data;
  if (typeof id !== "string" || typeof plaintext !== "string") {
    const unblock = "see the rules on the answer of a creation first";
    throw new Blocked("the created key has no id or no plaintext", unblock, "server");
  }
  const credential = { name: `new key with ${scopes.join(", ")}`, token: plaintext, id, scopes, tenant: as.tenant };
  return { credential, id, data, exchange };
}
