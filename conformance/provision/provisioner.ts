import { Agent } from "undici";
import { operations } from "../../generated/operations.ts";
import { type Need, requirementOf, requirements, secretDefinitions } from "../arrangements/all.ts";
import { newOrganization } from "../arrangements/fresh-organization.ts";
import { key as anyKey } from "../arrangements/key.ts";
import { advance } from "../arrangements/manual-clock.ts";
import { waysToMeet } from "../arrangements/offers.ts";
import { otherOrganization, otherKey as secondKey } from "../arrangements/other-organization.ts";
import { type SecretDefinition, secretOf } from "../arrangements/requirement.ts";
import { rowNamed } from "../exchange/admits.ts";
import { headerOf, statusOf } from "../exchange/exchange.ts";
import type { Secrets } from "../exchange/redaction.ts";
import type { HookCaller } from "../hooks/hook-caller.ts";
import { newBreaker } from "../liveness/breaker.ts";
import { checkSignal } from "../liveness/deadline.ts";
import { orEnded } from "../liveness/or-ended.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Sender } from "../sending/sender.ts";
import type { SandboxAccess, Target } from "../target/target.ts";
import { type GivenGround, givenTenant } from "./given-tenant.ts";
import { clockOf, createOrganization } from "./hook-organization.ts";
import type { Ledger } from "./ledger.ts";
import { newSandboxScopes } from "./sandbox-scopes.ts";
import { newSandboxTenant, type SandboxGround } from "./sandbox-tenant.ts";
import { newShared } from "./shared.ts";
import type { Tenant, TenantWish } from "./tenant.ts";
import type { Waiting } from "./wait.ts";

/** Where organizations come from in one run. */
export interface Grounds {
  /** What one check with these needs uses and gives back. */
  lease(needs: readonly Need[]): Lease;
  /** Fires when the sandbox is taken for gone; its reason is a `Blocked` that says since when. */
  readonly sandboxDown: AbortSignal;
}

export interface Lease {
  tenant(wish: TenantWish): Promise<Tenant>;
  otherTenant(wish?: TenantWish): Promise<Tenant>;
  /** Takes back what can be taken back. */
  dispose(): Promise<void>;
}

export interface GroundsOptions {
  readonly target: Target;
  readonly sender: Sender;
  readonly secrets: Secrets;
  readonly hooks: HookCaller;
  readonly waiting: Waiting;
  /** Scopes of a credential that may do everything, by the names that the target or the document gives them. */
  readonly scopes: readonly string[];
  readonly ledger: Ledger;
  /** Ends what even an interrupted run waits for. */
  readonly closing: AbortSignal;
}

/** Organizations of the sandbox, else of a hook, else the given ones. */
export function newGrounds(options: GroundsOptions): Grounds {
  const { target, ledger, hooks } = options;
  if (target.sandbox !== null) {
    const ground = sandboxGround(options, target.sandbox);
    return { lease: () => leaseOf((wish) => newSandboxTenant(ground, wish)), sandboxDown: ground.breaker.signal };
  }
  const given = givenTenants(options);
  const sandboxDown = new AbortController().signal;
  if (!hooks.has(newOrganization)) return { lease: () => ({ ...given, dispose: async () => undefined }), sandboxDown };
  return {
    sandboxDown,
    // The given session belongs to the given organization.
    lease: (needs) =>
      needs.some(isOfGivenOrganization)
        ? { ...given, dispose: async () => undefined }
        : madeLease(async ({ clock: wanted = "real" }) => {
            const made = await createOrganization(hooks, hooks.has(advance) ? wanted : "real");
            ledger.made({ kind: "organization", id: made.id, organizationId: made.id });
            const secrets = secretsOf(target, (secret) => !secret.isOfGivenOrganization);
            return tenantOf(options, { ...made, secrets, name: "a new organization's key", own: true });
          }),
  };
}

/** Whether a check with this need has to use the organization whose key was given. */
const isOfGivenOrganization = (need: Need): boolean => requirementOf(need).secret?.isOfGivenOrganization ?? false;

/** Those of the given secrets, by name in the target file. */
const secretsOf = ({ secrets }: Target, which: (secret: SecretDefinition) => boolean): Target["secrets"] =>
  Object.fromEntries(
    Object.entries(secrets).filter(([name]) => secretDefinitions.some((s) => s.setting === name && which(s))),
  );

type Given = Pick<Lease, "tenant" | "otherTenant">;

/** The organizations whose keys the kit was given; all checks share them. */
function givenTenants(options: GroundsOptions): Given {
  const { hooks } = options;
  const { key } = options.target;
  const otherKey = secretOf(options.target, secondKey);
  const tenants = newShared<string, Tenant>();
  const tenant = (name: string, ground: Pick<GivenGround, "key" | "secrets">) => () =>
    tenants.get(name, async () => {
      const clock = await clockOf(hooks, null);
      return tenantOf(options, { ...ground, name, id: null, own: false, clock });
    });
  const shared = key === null ? null : tenant("the given key", { key, secrets: secretsOf(options.target, () => true) });
  const other = otherKey === null ? null : tenant("the other organization's key", { key: otherKey, secrets: {} });
  return {
    async tenant(wish) {
      if (shared === null) throw new Blocked("the kit has no key", waysToMeet(anyKey));
      refuseSettings(wish);
      return shared();
    },
    async otherTenant() {
      if (other !== null) return other();
      throw new Blocked("the kit has one organization only", waysToMeet(otherOrganization));
    },
  };
}

/** Only a sandbox is told what an organization is to be like. */
function refuseSettings(wish: TenantWish): void {
  const wanted = requirements.find(({ setting }) => setting !== undefined && Object.hasOwn(wish, setting.name));
  if (wanted?.setting === undefined) return;
  throw new Blocked(`the kit cannot ${wanted.setting.does}`, waysToMeet(wanted));
}

/** Bytes of an answer of the sandbox that are read before it counts as none. */
const longestAnswer = 1024 * 1024;

function sandboxGround(options: GroundsOptions, { baseUrl, token }: SandboxAccess): SandboxGround {
  const { target, secrets, waiting, closing, ledger } = options;
  const timeout = target.timing.requestTimeout;
  const dispatcher = new Agent({ maxResponseSize: longestAnswer, connect: { timeout } });
  return {
    access: { baseUrl, token, timeout, dispatcher },
    breaker: newBreaker("sandbox", "see whether the sandbox of the target still runs"),
    scopes: newSandboxScopes(options.scopes),
    ...{ secrets, waiting, closing, ledger },
  };
}

function madeLease(make: (wish: TenantWish) => Promise<Tenant>): Lease {
  return leaseOf(async (wish) => {
    refuseSettings(wish);
    return make(wish);
  });
}

/** Makes an organization for whoever asks, and gives all of them back at the end. */
function leaseOf(make: (wish: TenantWish) => Promise<Tenant>): Lease {
  const making: Promise<Tenant>[] = [];
  const tenant = (wish: TenantWish): Promise<Tenant> => {
    const one = make(wish);
    making.push(one);
    return orEnded(one, checkSignal());
  };
  return {
    tenant,
    otherTenant: (wish = {}) => tenant(wish),
    async dispose() {
      // What was still being made when the check ended is taken back as well.
      const made = await Promise.allSettled(making);
      await Promise.all(made.map((one) => (one.status === "fulfilled" ? one.value.dispose() : undefined)));
    },
  };
}

/** Times that a key is asked for again after its bucket was found empty, and seconds that may take to refill. */
const patience = 5;
const longestRefill = 3600;

function tenantOf(
  { sender, waiting, hooks, ledger }: GroundsOptions,
  ground: Omit<GivenGround, "hooks" | "waiting" | "ledger" | "call">,
): Tenant {
  const tenant = givenTenant({
    ...ground,
    ...{ hooks, waiting, ledger },
    async call(operation, { body }, as) {
      const { method, path } = operations[operation];
      for (let tries = 1; ; tries += 1) {
        const headers = { authorization: `Bearer ${as.token}`, "content-type": "application/json" };
        const exchange = await sender.send({ method, path, headers, body: JSON.stringify(body) });
        const seconds = Number(headerOf(exchange, "Retry-After") ?? 1);
        const isThrottled = statusOf(exchange) === rowNamed("RateLimited").referenceStatus;
        if (!isThrottled || tries > patience || !(seconds > 0 && seconds <= longestRefill)) return exchange;
        await tenant.advance(seconds, "room for one more key");
      }
    },
  });
  return tenant;
}
