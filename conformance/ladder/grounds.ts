import { operations } from "../../generated/operations.ts";
import { rowNamed } from "../check/admits.ts";
import type { Need } from "../check/check.ts";
import { Blocked } from "../check/verdict.ts";
import { headerOf, statusOf } from "../exchange/exchange.ts";
import type { Secrets } from "../exchange/redaction.ts";
import type { Sender } from "../exchange/sender.ts";
import type { Target } from "../target/target.ts";
import { type GivenGround, givenTenant } from "./given-tenant.ts";
import { type HookCalls, hookCalls } from "./hook-calls.ts";
import type { LeftBehind } from "./left-behind.ts";
import { newSandboxScopes, type SandboxScopes } from "./sandbox-scopes.ts";
import { newSandboxTenant } from "./sandbox-tenant.ts";
import { newShared } from "./shared.ts";
import type { Tenant, TenantWish } from "./tenant.ts";
import type { Waiting } from "./wait.ts";

/** Where organizations come from in one run. */
export interface Grounds {
  /** What one check with these needs uses and gives back. */
  lease(needs: readonly Need[]): Lease;
}

export interface Lease {
  tenant(wish: TenantWish): Promise<Tenant>;
  otherTenant(wish?: TenantWish): Promise<Tenant>;
  /** Tells what stays behind. */
  dispose(): Promise<readonly LeftBehind[]>;
}

export interface GroundsOptions {
  readonly target: Target;
  readonly sender: Sender;
  readonly secrets: Secrets;
  readonly waiting: Waiting;
  /** Scopes of a credential that may do everything, by the names that the target or the document gives them. */
  readonly scopes: readonly string[];
  /** Fires when the run is interrupted. */
  readonly signal: AbortSignal;
}

/** Organizations of the sandbox, else of a hook, else the given ones. */
export function newGrounds(options: GroundsOptions): Grounds {
  const { target, secrets, signal } = options;
  if (target.sandbox !== null) {
    const scopes = newSandboxScopes(options.scopes);
    return { lease: () => sandboxLease(options, scopes) };
  }
  const hooks = hookCalls(target, secrets, signal);
  const given = givenTenants(options, hooks);
  const { newOrganization } = hooks;
  if (newOrganization === null) return { lease: () => ({ ...given, dispose: async () => [] }) };
  return {
    // The given session belongs to the given organization.
    lease: (needs) =>
      needs.includes("session")
        ? { ...given, dispose: async () => [] }
        : madeLease(async () => {
            const made = await newOrganization();
            const clock = made.clock ?? (await hooks.advance?.(0, made.id)) ?? "real";
            const ground = { id: made.id, key: made.key, session: null, revokedKey: target.revokedKey };
            return tenantOf(options, hooks, { ...ground, name: "a new organization's key", own: true, clock });
          }),
  };
}

type Given = Pick<Lease, "tenant" | "otherTenant">;

/** The organizations whose keys the kit was given; all checks share them. */
function givenTenants(options: GroundsOptions, hooks: HookCalls): Given {
  const { key, otherKey, session, revokedKey } = options.target;
  const tenants = newShared<string, Tenant>();
  const tenant = (name: string, ground: Pick<GivenGround, "key" | "session" | "revokedKey">) => () =>
    tenants.get(name, async () => {
      const clock = (await hooks.advance?.(0, null)) ?? "real";
      return tenantOf(options, hooks, { ...ground, name, id: null, own: false, clock });
    });
  const shared = key === null ? null : tenant("the given key", { key, session, revokedKey });
  const other =
    otherKey === null
      ? null
      : tenant("the other organization's key", { key: otherKey, session: null, revokedKey: null });
  return {
    async tenant(wish) {
      if (shared === null) throw new Blocked("the kit has no key", "give the kit a key: BYLAW_API_KEY");
      refuseLimits(wish);
      return shared();
    },
    async otherTenant() {
      if (other !== null) return other();
      throw new Blocked(
        "the kit has one organization only",
        "give the kit a second organization's key: BYLAW_OTHER_API_KEY",
      );
    },
  };
}

const sandboxAdvice = "give the kit a sandbox: BYLAW_SANDBOX_URL and BYLAW_SANDBOX_TOKEN";

function refuseLimits(wish: TenantWish): void {
  if (wish.limits) throw new Blocked("the kit cannot set an organization's limits", sandboxAdvice);
}

function sandboxLease({ target, secrets, waiting }: GroundsOptions, scopes: SandboxScopes): Lease {
  return leaseOf(async (wish) => {
    if (target.sandbox === null) throw new Blocked("the kit has no sandbox", sandboxAdvice);
    const ground = { access: target.sandbox, timeout: target.timing.requestTimeout, scopes, secrets, waiting };
    return newSandboxTenant(ground, wish);
  });
}

function madeLease(make: () => Promise<Tenant>): Lease {
  return leaseOf(async (wish) => {
    refuseLimits(wish);
    return make();
  });
}

/** Makes an organization for whoever asks, and gives all of them back at the end. */
function leaseOf(make: (wish: TenantWish) => Promise<Tenant>): Lease {
  const made: Tenant[] = [];
  const tenant = async (wish: TenantWish): Promise<Tenant> => {
    const one = await make(wish);
    made.push(one);
    return one;
  };
  return {
    tenant,
    otherTenant: (wish = {}) => tenant(wish),
    dispose: async () => (await Promise.all(made.map((one) => one.dispose()))).flat(),
  };
}

function tenantOf(
  { sender, waiting }: GroundsOptions,
  hooks: HookCalls,
  ground: Omit<GivenGround, "hooks" | "waiting" | "call">,
): Tenant {
  const tenant = givenTenant({
    ...ground,
    ...{ hooks, waiting },
    async call(operation, { body }, as) {
      const { method, path } = operations[operation];
      for (;;) {
        const headers = { authorization: `Bearer ${as.token}`, "content-type": "application/json" };
        const exchange = await sender.send({ method, path, headers, body: JSON.stringify(body) });
        if (statusOf(exchange) !== rowNamed("RateLimited").referenceStatus) return exchange;
        await tenant.advance(Number(headerOf(exchange, "Retry-After")) || 1, "room for one more key");
      }
    },
  });
  return tenant;
}
