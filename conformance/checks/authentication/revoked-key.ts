import { givenRevokedKey } from "../../arrangements/given-revoked-key.ts";
import { revocation } from "../../arrangements/revocation.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { newLabel } from "../../provision/new-label.ts";
import { bareCredential, type Credential, type Tenant } from "../../provision/tenant.ts";
import { readScope, writeScope } from "../../steps/grantable.ts";
import { idOf, ownKey } from "../../steps/own-key.ts";
import { sameMessage } from "../../steps/same-message.ts";

/** A key that was valid once. */
export const revokedKey = check({
  id: "authentication.revoked-key",
  title: "A revoked key is refused with the message of every other bad credential",
  rules: ["AUTH-05", "AUTH-07"],
  kind: "scenario",
  needs: ["revoked-key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 1 },
  sharedKeys: [[readScope]],
  async run(t) {
    const tenant = await t.tenant();
    const { input } = await ownKey(t, tenant);
    const refusals = [await t.attempt("getApiKey", input, null)];
    const revoked = tenant.can(revocation)
      ? await usedThenRevoked(t, tenant)
      : bareCredential("revoked key", await tenant.arrange(givenRevokedKey, {}), tenant);
    const exchange = await t.attempt("getApiKey", input, revoked);
    t.refused("AUTH-05", exchange, "Unauthorized");
    refusals.push(exchange);
    // What a given key may do is not known, so that it could be refused for another reason.
    if (tenant.can(revocation)) {
      const body = { label: newLabel(), scopes: [readScope] };
      t.refused("AUTH-05", await t.attempt("createApiKey", { body }, revoked), "Unauthorized");
    }
    sameMessage(t, "AUTH-07", "Unauthorized", refusals);
  },
});

/** A key that has worked and was then revoked: what a server remembers of it must not outlive it. */
async function usedThenRevoked(t: CheckContext, tenant: Tenant): Promise<Credential> {
  const key = await tenant.keyWith([readScope, writeScope], { unused: true });
  t.control(await t.call("getApiKey", { path: { id: idOf(key) } }, key), "a key reading itself before it is revoked");
  await tenant.arrange(revocation, key);
  return key;
}
