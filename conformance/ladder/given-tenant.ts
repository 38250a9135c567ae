import { operations } from "../../generated/operations.ts";
import type { Need } from "../check/check.ts";
import { newLabel } from "../check/new-label.ts";
import { Blocked } from "../check/verdict.ts";
import { dataOf, type Exchange, isSuccess, objectOf, summaryOf } from "../exchange/exchange.ts";
import type { Clock, HookCalls } from "./hook-calls.ts";
import type { Ledger } from "./ledger.ts";
import { waysToMeet } from "./offers.ts";
import { newShared } from "./shared.ts";
import type { Credential, Tenant } from "./tenant.ts";
import type { Waiting } from "./wait.ts";

/** What the kit was given of an organization that it did not make through the sandbox. */
export interface GivenGround {
  readonly name: string;
  readonly key: string;
  /** Null when the kit was not told. */
  readonly id: string | null;
  /** Made by a hook for one check alone. */
  readonly own: boolean;
  readonly clock: Clock;
  readonly session: string | null;
  readonly revokedKey: string | null;
  readonly hooks: HookCalls;
  /** Calls the API; waits where a limit asks for it. */
  readonly call: (operation: "createApiKey", input: { readonly body: unknown }, as: Credential) => Promise<Exchange>;
  readonly waiting: Waiting;
  readonly ledger: Pick<Ledger, "gone">;
}

/** An organization that is reached through the public API, and through hooks for what that cannot do. */
export function givenTenant(ground: GivenGround): Tenant {
  const { hooks } = ground;
  const keys = newShared<string, Credential>();
  let drawn = false;
  const blocked = (what: string, need: Need): never => {
    throw new Blocked(`the kit cannot ${what} through the public API`, waysToMeet(need));
  };

  const mint = async (scopes: readonly string[]): Promise<Credential> => {
    drawn = true;
    const exchange = await ground.call("createApiKey", { body: { label: newLabel(), scopes } }, main);
    const key = objectOf(dataOf(exchange));
    if (!isSuccess(exchange) || typeof key?.plaintext !== "string" || typeof key.id !== "string") {
      throw new Blocked(
        `creating a key with ${scopes.join(", ")} was answered ${summaryOf(exchange)}`,
        `give the kit a key that holds every scope that it may grant, ${operations.createApiKey.scope} among them`,
      );
    }
    return { name: `key with ${scopes.join(", ")}`, token: key.plaintext, id: key.id, scopes, tenant };
  };
  const revoke = async ({ id, name }: Credential): Promise<void> => {
    if (hooks.revokeKey === null) return blocked("revoke a key", "revocation");
    if (id === null) throw new Blocked(`the kit does not know the id of the ${name}`, waysToMeet("state"));
    await hooks.revokeKey(id, ground.id);
  };
  const tenant: Tenant = {
    id: ground.id,
    get fresh() {
      // To make a key draws from the bucket that a fresh organization has full.
      return ground.own && !drawn;
    },
    manualClock: ground.clock === "manual",
    main: async () => main,
    keyWith(scopes, options) {
      if (options?.unused) return mint(scopes);
      return keys.get([...scopes].sort().join(" "), () => mint(scopes));
    },
    async revokedKey() {
      if (hooks.revokeKey !== null) {
        const key = await mint([operations.getApiKey.scope]);
        await revoke(key);
        return { ...key, name: "revoked key" };
      }
      if (ground.revokedKey === null) return blocked("revoke a key", "revoked-key");
      return { name: "revoked key", token: ground.revokedKey, id: null, scopes: null, tenant };
    },
    canRevoke: hooks.revokeKey !== null,
    revoke,
    async session() {
      if (ground.session === null) return blocked("sign a user in", "session");
      return { name: "user session", token: ground.session, id: null, scopes: null, tenant };
    },
    async advance(seconds, why) {
      if (hooks.advance === null) return ground.waiting.wait(seconds, why);
      await hooks.advance(seconds, ground.id);
    },
    canEmit: hooks.emitEvent !== null,
    async emit(type, data = {}) {
      if (hooks.emitEvent === null) return blocked("make an event happen", "emit");
      return { type, id: await hooks.emitEvent(type, data, ground.id) };
    },
    canChangeEndpoint: hooks.changeEndpoint !== null,
    async changeEndpoint(endpointId, change) {
      if (hooks.changeEndpoint === null) return blocked("change an endpoint", "endpoint-edit");
      await hooks.changeEndpoint(endpointId, change, ground.id);
    },
    canForceAnswers: false,
    forceAnswers: async () => blocked("choose what deliveries meet", "forced-answers"),
    canSendCallback: hooks.sendCallback !== null,
    async sendCallback(url) {
      if (hooks.sendCallback === null) return blocked("have a callback sent", "callback");
      await hooks.sendCallback(url, ground.id);
    },
    state: async () => blocked("read an organization's state", "state"),
    failNextCalls: async () => blocked("make calls fail", "outage"),
    async dispose() {
      if (!ground.own || ground.id === null || hooks.deleteOrganization === null) return;
      const thing = { kind: "organization", id: ground.id } as const;
      await hooks.deleteOrganization(ground.id).then(
        () => ground.ledger.gone(thing),
        // It stays in the ledger, and says nothing about the API under test.
        () => undefined,
      );
    },
  };
  const main: Credential = { name: ground.name, token: ground.key, id: null, scopes: null, tenant };
  return tenant;
}
