import { operations } from "../../generated/operations.ts";
import { rowNamed } from "../check/admits.ts";
import { Blocked } from "../check/verdict.ts";
import { headerOf, statusOf } from "../exchange/exchange.ts";
import type { Secrets } from "../exchange/redaction.ts";
import type { Sender } from "../exchange/sender.ts";
import type { Target } from "../target/target.ts";
import { givenTenant } from "./given-tenant.ts";
import { newSandboxTenant } from "./sandbox-tenant.ts";
import type { Tenant, TenantWish } from "./tenant.ts";
import type { Waiting } from "./wait.ts";

/** Where organizations come from in one run. */
export interface Grounds {
  /** What one check uses and gives back. */
  lease(): Lease;
  dispose(): Promise<readonly string[]>;
}

export interface Lease {
  tenant(wish: TenantWish): Promise<Tenant>;
  otherTenant(wish?: TenantWish): Promise<Tenant>;
  /** Tells what stays behind. */
  dispose(): Promise<readonly string[]>;
}

export interface GroundsOptions {
  readonly target: Target;
  readonly sender: Sender;
  readonly secrets: Secrets;
  readonly waiting: Waiting;
  /** Scopes that a credential with all of them has. */
  readonly scopes: readonly string[];
}

export function newGrounds(options: GroundsOptions): Grounds {
  const { target } = options;
  const shared =
    target.key === null ? null : given(options, "the given key", target.key, target.session, target.revokedKey);
  const other =
    target.otherKey === null ? null : given(options, "the other organization's key", target.otherKey, null, null);
  return {
    lease: () => (target.sandbox === null ? givenLease(shared, other) : sandboxLease(options)),
    dispose: async () => [],
  };
}

function givenLease(shared: Tenant | null, other: Tenant | null): Lease {
  return {
    async tenant(wish) {
      if (shared === null) throw new Blocked("the kit has no key", "give the kit a key: BYLAW_API_KEY");
      if (wish.limits) throw new Blocked("the kit cannot set an organization's limits", sandboxAdvice);
      return shared;
    },
    async otherTenant() {
      if (other !== null) return other;
      throw new Blocked(
        "the kit has one organization only",
        "give the kit a second organization's key: BYLAW_OTHER_API_KEY",
      );
    },
    dispose: async () => [],
  };
}

const sandboxAdvice = "give the kit a sandbox: BYLAW_SANDBOX_URL and BYLAW_SANDBOX_TOKEN";

function sandboxLease({ target, secrets, scopes, waiting }: GroundsOptions): Lease {
  const made: Tenant[] = [];
  const make = async (wish: TenantWish): Promise<Tenant> => {
    if (target.sandbox === null) throw new Blocked("the kit has no sandbox", sandboxAdvice);
    const ground = { access: target.sandbox, timeout: target.timing.requestTimeout, scopes, secrets, waiting };
    const tenant = await newSandboxTenant(ground, wish);
    made.push(tenant);
    return tenant;
  };
  return {
    tenant: make,
    otherTenant: (wish = {}) => make(wish),
    dispose: async () => (await Promise.all(made.map((tenant) => tenant.dispose()))).flat(),
  };
}

function given(
  options: GroundsOptions,
  name: string,
  key: string,
  session: string | null,
  revokedKey: string | null,
): Tenant {
  const { sender, waiting } = options;
  return givenTenant({
    ...{ name, key, session, revokedKey, waiting },
    async call(operation, { body }, as) {
      const { method, path } = operations[operation];
      for (;;) {
        const headers = { authorization: `Bearer ${as.token}`, "content-type": "application/json" };
        const exchange = await sender.send({ method, path, headers, body: JSON.stringify(body) });
        if (statusOf(exchange) !== rowNamed("RateLimited").referenceStatus) return exchange;
        await waiting.wait(Number(headerOf(exchange, "Retry-After")) || 1, "room for one more key");
      }
    },
  });
}
