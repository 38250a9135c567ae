import { operations } from "../../generated/operations.ts";
import { deleteOrganization } from "../arrangements/fresh-organization.ts";
import { advance } from "../arrangements/manual-clock.ts";
import { waysToMeet } from "../arrangements/offers.ts";
import { organizationState } from "../arrangements/organization-state.ts";
import { secretOf } from "../arrangements/requirement.ts";
import { dataOf, type Exchange, isSuccess, objectOf, summaryOf } from "../exchange/exchange.ts";
import type { HookCaller } from "../hooks/hook-caller.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Target } from "../target/target.ts";
import { type Clock, moveClock, removeOrganization } from "./hook-organization.ts";
import type { Ledger } from "./ledger.ts";
import { newLabel } from "./new-label.ts";
import { newShared } from "./shared.ts";
import type { Credential, Tenant } from "./tenant.ts";
import type { Waiting } from "./wait.ts";

/** What the kit was given of an organization that it did not make through the sandbox. */
export interface GivenOrganization {
  readonly name: string;
  readonly key: string;
  /** What the key was granted; null when the kit was not told. */
  readonly scopes: readonly string[] | null;
  /** What else was given of it, by name in the target file. */
  readonly secrets: Target["secrets"];
  /** Null when the kit was not told. */
  readonly id: string | null;
  /** Made by a hook for one check alone. */
  readonly own: boolean;
  readonly clock: Clock;
  /** Where a manual clock stood when it was made, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly hooks: HookCaller;
  /** Calls the API; waits where a limit asks for it. */
  readonly call: (operation: "createApiKey", input: { readonly body: unknown }, as: Credential) => Promise<Exchange>;
  readonly waiting: Waiting;
  readonly ledger: Pick<Ledger, "gone">;
}

/** An organization that is reached through the public API, and through hooks for what that cannot do. */
export function givenTenant(organization: GivenOrganization): Tenant {
  const { hooks } = organization;
  const keys = newShared<string, Credential>();
  let drawn = false;
  let moved = 0;
  const mint = async (scopes: readonly string[]): Promise<Credential> => {
    drawn = true;
    const exchange = await organization.call("createApiKey", { body: { label: newLabel(), scopes } }, main);
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
    id: organization.id,
    own: organization.own,
    get fresh() {
      // To make a key draws from the bucket that a fresh organization has full.
      return organization.own && !drawn;
    },
    manualClock: organization.clock === "manual",
    async now() {
      if (!tenant.manualClock) return Date.now();
      if (!tenant.can(organizationState)) return organization.startedAt + moved * 1000;
      return Date.parse((await tenant.arrange(organizationState, {})).now);
    },
    main: async () => main,
    keyWith(scopes, options) {
      if (options?.unused) return mint(scopes);
      return keys.get([...scopes].sort().join(" "), () => mint(scopes));
    },
    async advance(seconds, why) {
      if (!hooks.has(advance)) return organization.waiting.wait(seconds, why);
      try {
        await moveClock(hooks, seconds, organization.id);
        moved += seconds;
      } catch (problem) {
        // Time that runs by itself may be nothing that a hook can move.
        if (tenant.manualClock || !(problem instanceof Blocked)) throw problem;
        await organization.waiting.wait(seconds, why);
      }
    },
    can: ({ hooks: able = [], secret }) =>
      able.some(hooks.has) || (secret !== undefined && secretOf(organization, secret) !== null),
    async arrange(arrangement, input) {
      const { does, hook, hooks: [definition] = [], given, secret } = arrangement;
      if (hook !== null && definition !== undefined && hooks.has(definition)) {
        return hook((asked) => hooks.ask(definition, { ...asked, organization_id: organization.id }), input);
      }
      const known = secret === undefined ? null : secretOf(organization, secret);
      if (known !== null && given !== null) return given(known);
      throw new Blocked(`the kit cannot ${does} through the public API`, waysToMeet(arrangement));
    },
    async dispose() {
      if (!organization.own || organization.id === null || !hooks.has(deleteOrganization)) return;
      const thing = { kind: "organization", id: organization.id } as const;
      await removeOrganization(hooks, organization.id).then(
        () => organization.ledger.gone(thing),
        // It stays in the ledger, and says nothing about the API under test.
        () => undefined,
      );
    },
  };
  const main: Credential = {
    name: organization.name,
    token: organization.key,
    id: null,
    scopes: organization.scopes,
    tenant,
  };
  return tenant;
}
