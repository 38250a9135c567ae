import { operations } from "../../generated/operations.ts";
import { Blocked } from "../check/verdict.ts";
import { dataOf, type Exchange, isSuccess, objectOf, summaryOf } from "../exchange/exchange.ts";
import type { Credential, Tenant } from "./tenant.ts";
import type { Waiting } from "./wait.ts";

/** What the kit was given of an organization that it did not make. */
export interface GivenGround {
  readonly name: string;
  readonly key: string;
  readonly session: string | null;
  readonly revokedKey: string | null;
  /** Calls the API; waits where a limit asks for it. */
  readonly call: (operation: "createApiKey", input: { readonly body: unknown }, as: Credential) => Promise<Exchange>;
  readonly waiting: Waiting;
}

/** An organization that is shared by all checks of a run and reached through the public API alone. */
export function givenTenant(ground: GivenGround): Tenant {
  const keys = new Map<string, Promise<Credential>>();
  const blocked = (what: string, unblock: string): never => {
    throw new Blocked(`the kit cannot ${what} through the public API`, unblock);
  };
  const sandbox = "give the kit a sandbox: BYLAW_SANDBOX_URL and BYLAW_SANDBOX_TOKEN";

  const mint = async (scopes: readonly string[]): Promise<Credential> => {
    const exchange = await ground.call("createApiKey", { body: { label: "bylaw conformance", scopes } }, main);
    const key = objectOf(dataOf(exchange));
    if (!isSuccess(exchange) || typeof key?.plaintext !== "string" || typeof key.id !== "string") {
      throw new Blocked(
        `creating a key with ${scopes.join(", ")} was answered ${summaryOf(exchange)}`,
        `give the kit a key that holds every scope that it may grant, ${operations.createApiKey.scope} among them`,
      );
    }
    return { name: `key with ${scopes.join(", ")}`, token: key.plaintext, id: key.id, scopes, tenant };
  };
  const tenant: Tenant = {
    id: null,
    fresh: false,
    manualClock: false,
    main: async () => main,
    keyWith(scopes, options) {
      if (options?.unused) return mint(scopes);
      const name = [...scopes].sort().join(" ");
      const known = keys.get(name) ?? mint(scopes);
      keys.set(name, known);
      return known;
    },
    async revokedKey() {
      if (ground.revokedKey === null) return blocked("revoke a key", "give the kit a revoked key: BYLAW_REVOKED_KEY");
      return { name: "revoked key", token: ground.revokedKey, id: null, scopes: null, tenant };
    },
    revoke: async () => blocked("revoke a key", sandbox),
    async session() {
      if (ground.session === null) return blocked("sign a user in", "give the kit a session: BYLAW_SESSION_TOKEN");
      return { name: "user session", token: ground.session, id: null, scopes: null, tenant };
    },
    advance: (seconds, why) => ground.waiting.wait(seconds, why),
    state: async () => blocked("read an organization's state", sandbox),
    failNextCalls: async () => blocked("make calls fail", sandbox),
    dispose: async () => [],
  };
  const main: Credential = { name: ground.name, token: ground.key, id: null, scopes: null, tenant };
  return tenant;
}
