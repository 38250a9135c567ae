import { revocation } from "../../arrangements/revocation.ts";
import { check } from "../../context/check.ts";
import { dataOf, type Exchange, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { readScope } from "../../steps/grantable.ts";
import { neverIssued } from "../../steps/never-issued.ts";
import { idOf, ownKey } from "../../steps/own-key.ts";
import { indistinguishable } from "./indistinguishable.ts";

/** Another organization's key, asked for by its id. */
export const foreignKey = check({
  id: "tenancy.foreign-key",
  title: "Another organization's key is not found, stays as it is, and nothing tells it from one that never was",
  rules: ["TEN-01", "TEN-05", "TEN-19", "TEN-20"],
  kind: "sampled",
  needs: ["other-organization"],
  effects: ["creates"],
  draws: { apiKeyWrites: 7 },
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const own = await ownKey(t, tenant);
    t.control(await t.call("getApiKey", own.input, main), "reading an own key");
    const other = await t.otherTenant();
    const owner = await ownKey(t, other);
    const foreign = owner.input.path.id;
    const unknown = neverIssued(foreign, t.random);
    const read = (id: string) => t.call("getApiKey", { path: { id } }, main);
    const rotate = (id: string) => t.call("rotateApiKey", { path: { id } }, main);
    t.refused("TEN-01", await indistinguishable(t, read, { foreign, unknown }), "NotFound");
    await indistinguishable(t, rotate, { foreign, unknown });
    // A server that compares ids as text in one place and as bytes in another may know whose it is in one of them only.
    const upper = { foreign: foreign.toUpperCase(), unknown: unknown.toUpperCase() };
    await indistinguishable(t, read, upper);
    await indistinguishable(t, rotate, upper);

    // Nobody has used this one, and nobody does who asks for it.
    const { id, exchange: created } = await t.createKey(await other.main(), [readScope], { own: true });
    const asked = await read(id);
    const unused = await t.call("getApiKey", { path: { id } }, await other.main());
    if (isSuccess(unused) && objectOf(dataOf(created))?.last_used_at === null)
      t.equal("TEN-20", "last_used_at", objectOf(dataOf(unused))?.last_used_at, null, asked, unused);

    const after = await t.call("getApiKey", owner.input, owner.reader);
    t.verify("TEN-20", isSuccess(after), {
      expected: "the key at work all the same for its owner",
      actual: summaryOf(after),
      exchanges: [after],
    });
    if (!isSuccess(after)) return;
    t.equal("TEN-20", "the owner's key", standing(after), standing(owner.exchange), owner.exchange, after);
  },
});

/** Another organization's key that was revoked. */
export const foreignRevokedKey = check({
  id: "tenancy.foreign-revoked-key",
  title: "Nothing tells another organization's revoked key from one that never was",
  rules: ["TEN-01", "TEN-05", "TEN-19"],
  kind: "sampled",
  needs: ["other-organization", "revocation"],
  effects: ["creates"],
  draws: { apiKeyWrites: 4 },
  async run(t) {
    const main = await (await t.tenant()).main();
    const other = await t.otherTenant();
    const key = await other.keyWith([readScope], { unused: true });
    const foreign = idOf(key);
    await other.arrange(revocation, key);
    const ids = { foreign, unknown: neverIssued(foreign, t.random) };
    const read = (id: string) => t.call("getApiKey", { path: { id } }, main);
    t.refused("TEN-01", await indistinguishable(t, read, ids), "NotFound");
    await indistinguishable(t, (id) => t.call("rotateApiKey", { path: { id } }, main), ids);
  },
});

/** Members of a key that its use does not change: a server may add others that change. */
function standing(exchange: Exchange): Readonly<Record<string, unknown>> {
  const { id, org_id, label, prefix, scopes, revoked_at } = objectOf(dataOf(exchange)) ?? {};
  return { id, org_id, label, prefix, scopes: Array.isArray(scopes) ? scopes.toSorted() : scopes, revoked_at };
}
