import { revocation } from "../../arrangements/revocation.ts";
import { dataOf, isSuccess, objectOf } from "../../exchange/exchange.ts";
import { newLabel } from "../../provision/new-label.ts";
import { bareCredential, type Credential } from "../../provision/tenant.ts";
import { readScope } from "../../steps/grantable.ts";
import { roomyBucket } from "../../steps/roomy-bucket.ts";
import { walked } from "./walked.ts";

interface Key {
  readonly as: Credential;
  /** Of the last one that was created; null for none. */
  id: string | null;
}

/** A key, from its creation. */
export const apiKeyStates = walked({
  entity: "api key",
  title: "A key is not revoked when it is created, whatever became of those before",
  needs: ["limit-override"],
  effects: ["creates"],
  starts: [{ state: "none", facts: {} }],
  async begin(t): Promise<Key> {
    const tenant = await t.otherTenant({ limits: { apiKeyWrites: roomyBucket } });
    return { as: await tenant.main(), id: null };
  },
  calls: {
    async createApiKey(t, key) {
      const exchange = await t.call("createApiKey", { body: { label: newLabel(), scopes: [readScope] } }, key.as);
      const { id } = objectOf(isSuccess(exchange) ? dataOf(exchange) : null) ?? {};
      key.id = typeof id === "string" ? id : null;
      return exchange;
    },
  },
  holds: { "the scopes are valid and held by the caller": () => true },
  steps: {
    revoke: {
      becomes: ({ state, facts }) => (state === "not revoked" ? { state: "none", facts } : null),
      async run(_, key) {
        await key.as.tenant.arrange(revocation, { ...bareCredential("key", "", key.as.tenant), id: key.id });
        // What a revoked key shows is not in question here: the next one is.
        key.id = null;
      },
    },
  },
  async shown(t, { as, id }) {
    // Before a creation there is no key but revoked ones: a new one that shows as they do has not begun.
    if (id === null) return { state: "revoked", exchange: null };
    const exchange = t.control(await t.call("getApiKey", { path: { id } }, as), "reading a key");
    return { state: objectOf(dataOf(exchange))?.revoked_at === null ? "not revoked" : "revoked", exchange };
  },
});
