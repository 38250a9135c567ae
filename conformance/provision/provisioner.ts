import { Agent } from "undici";
import { operations } from "../../generated/operations.ts";
import { type Need, requirementOf, secretDefinitions, settings } from "../arrangements/all.ts";
import { newOrganization } from "../arrangements/fresh-organization.ts";
import { key as anyKey } from "../arrangements/key.ts";
import { limitOverride } from "../arrangements/limit-override.ts";
import { advance } from "../arrangements/manual-clock.ts";
import { waysToMeet } from "../arrangements/offers.ts";
import { canSet } from "../arrangements/organization-setting.ts";
import { otherOrganization, otherKey as secondKey } from "../arrangements/other-organization.ts";
import { isOfGivenOrganization, type SecretDefinition, secretOf } from "../arrangements/requirement.ts";
import { rowNamed } from "../exchange/admits.ts";
import { statusOf } from "../exchange/exchange.ts";
import type { Secrets } from "../exchange/redaction.ts";
import { retryAfterIn } from "../exchange/retry-after.ts";
import type { HookCaller } from "../hooks/hook-caller.ts";
import { newBreaker } from "../liveness/breaker.ts";
import { checkSignal } from "../liveness/deadline.ts";
import { orEnded } from "../liveness/or-ended.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Sender } from "../sending/sender.ts";
import { soonClosed } from "../sending/soon-closed.ts";
import type { SandboxAccess, Target } from "../target/target.ts";
import { type GivenOrganization, givenTenant } from "./given-tenant.ts";
import { clockOf, createOrganization } from "./hook-organization.ts";
import type { Ledger } from "./ledger.ts";
import { newSandboxScopes } from "./sandbox-scopes.ts";
import { newSandboxTenant, type SandboxParts } from "./sandbox-tenant.ts";
import { newShared } from "./shared.ts";
import type { Tenant, TenantWish } from "./tenant.ts";
import { usualSettings } from "./usual-settings.ts";
import type { Waiting } from "./wait.ts";

/** Where organizations come from in one run. */
export interface Provisioner {
  /** What one check with these needs uses and gives back. */
  fixture(needs: readonly Need[]): Fixture;
  /** Fires when the sandbox is taken for gone; its reason is a `Blocked` that says since when. */
  readonly sandboxDown: AbortSignal;
  /** What was asked of the sandbox so far. */
  sandboxCalls(): number;
}

export interface Fixture {
  tenant(wish: TenantWish): Promise<Tenant>;
  otherTenant(wish?: TenantWish): Promise<Tenant>;
  /** Takes back what can be taken back. */
  dispose(): Promise<void>;
}

export interface ProvisionerOptions {
  readonly target: Target;
  readonly sender: Sender;
  readonly secrets: Secrets;
  readonly hooks: HookCaller;
  readonly waiting: Waiting;
  /** Scopes of a credential that may do everything, by the names that the target or the document gives them. */
  readonly scopes: readonly string[];
  /** Limits that the sandbox can set, by name; null where it does not tell. */
  readonly limits: readonly string[] | null;
  readonly ledger: Ledger;
  /** Ends what even an interrupted run waits for. */
  readonly closing: AbortSignal;
}

/** Organizations of the sandbox, else of a hook, else the given ones. */
export function newProvisioner(options: ProvisionerOptions): Provisioner {
  const { fixture, ...others } = provisionerFor(options);
  return { fixture: (needs) => refusingUndeclared(options, needs, fixture(needs)), ...others };
}

function provisionerFor(options: ProvisionerOptions): Provisioner {
  const { target, ledger, hooks } = options;
  if (target.sandbox !== null) {
    const parts = sandboxParts(options, target.sandbox);
    return {
      fixture: () => fixtureOf((wish) => newSandboxTenant(parts, wish)),
      sandboxDown: parts.breaker.signal,
      sandboxCalls: parts.breaker.sent,
    };
  }
  const given = givenTenants(options);
  const none = { sandboxDown: new AbortController().signal, sandboxCalls: () => 0 };
  if (!hooks.has(newOrganization)) return { fixture: () => ({ ...given, dispose: async () => undefined }), ...none };
  return {
    ...none,
    // The given session belongs to the given organization.
    fixture: (needs) =>
      needs.some((need) => isOfGivenOrganization(requirementOf(need), target))
        ? { ...given, dispose: async () => undefined }
        : fixtureOf(async ({ clock: wanted = "real", ...wish }) => {
            refuseSettings(target, wish);
            const usual = Object.entries(usualSettings).filter(([name]) => isSettable(target, name));
            const asked = { ...Object.fromEntries(usual), ...wish };
            const startedAt = wish.starts_at === undefined ? Date.now() : Date.parse(wish.starts_at);
            const made = await createOrganization(hooks, hooks.has(advance) ? wanted : "real", asked);
            ledger.made({ kind: "organization", id: made.id, organizationId: made.id });
            const secrets = secretsOf(target, (secret) => !secret.isOfGivenOrganization);
            return tenantOf(options, { ...made, secrets, startedAt, name: "a new organization's key", own: true });
          }),
  };
}

/**
 * Rejects wishes that a check does not declare, because a plan relies on the declarations. Limits are an exception: a
 * check that does not need them only wishes for room, and waits for calls that the target refuses for a limit.
 */
function refusingUndeclared(options: ProvisionerOptions, needs: readonly Need[], fixture: Fixture): Fixture {
  const declared = ({ limits, ...others }: TenantWish): TenantWish => {
    if (limits === undefined) return refusedUndeclared(others);
    if (needs.includes(limitOverride.need)) return refusedUndeclared({ ...others, limits });
    const settable = Object.entries(limits).filter(([name]) => canSetLimit(options, name));
    return refusedUndeclared(settable.length === 0 ? others : { ...others, limits: Object.fromEntries(settable) });
  };
  const refusedUndeclared = (wish: TenantWish): TenantWish => {
    const missing = settings.find(
      ({ need, setting }) =>
        setting !== limitOverride.setting && Object.hasOwn(wish, setting.name) && !needs.includes(need),
    );
    if (missing === undefined) return wish;
    throw new Error(`A check that wishes for ${missing.setting.name} has to have "${missing.need}" among its needs.`);
  };
  return {
    tenant: async (wish) => fixture.tenant(declared(wish)),
    otherTenant: async (wish = {}) => fixture.otherTenant(declared(wish)),
    dispose: fixture.dispose,
  };
}

/** Returns true if the sandbox or a hook of the target can set this limit. */
const canSetLimit = ({ target, limits }: ProvisionerOptions, name: string): boolean =>
  limitOverride.isMet(target) && (limits === null || limits.includes(name));

/** Those of the given secrets, by name in the target file. */
const secretsOf = ({ secrets }: Target, which: (secret: SecretDefinition) => boolean): Target["secrets"] =>
  Object.fromEntries(
    Object.entries(secrets).filter(([name]) => secretDefinitions.some((s) => s.setting === name && which(s))),
  );

type Given = Pick<Fixture, "tenant" | "otherTenant">;

/** The organizations whose keys the kit was given; all checks share them. */
function givenTenants(options: ProvisionerOptions): Given {
  const { hooks } = options;
  const { key } = options.target;
  const otherKey = secretOf(options.target, secondKey);
  const tenants = newShared<string, Tenant>();
  const tenant = (name: string, organization: Pick<GivenOrganization, "key" | "secrets">) => () =>
    tenants.get(name, async () => {
      const clock = await clockOf(hooks, null);
      return tenantOf(options, {
        ...organization,
        name,
        scopes: null,
        id: null,
        own: false,
        clock,
        startedAt: Date.now(),
      });
    });
  const shared = key === null ? null : tenant("the given key", { key, secrets: secretsOf(options.target, () => true) });
  const other = otherKey === null ? null : tenant("the other organization's key", { key: otherKey, secrets: {} });
  return {
    async tenant(wish) {
      if (shared === null) throw new Blocked("the kit has no key", waysToMeet(anyKey));
      refuseSettings({ hooks: {} }, wish);
      return shared();
    },
    async otherTenant() {
      if (other !== null) return other();
      throw new Blocked("the kit has one organization only", waysToMeet(otherOrganization));
    },
  };
}

/** Blocks what the target has no way to make an organization be. */
function refuseSettings(target: Pick<Target, "hooks">, { clock, ...wish }: TenantWish): void {
  const refused = Object.keys(wish).find((name) => !isSettable(target, name));
  if (refused === undefined) return;
  const wanted = settings.find(({ setting }) => setting.name === refused);
  if (wanted === undefined) throw new Error(`No file in conformance/arrangements has the setting ${refused}.`);
  throw new Blocked(`the kit cannot ${wanted.setting.does}`, waysToMeet(wanted));
}

const isSettable = (target: Pick<Target, "hooks">, name: string): boolean =>
  settings.some(({ setting }) => setting.name === name && canSet(target, setting));

/** Bytes of an answer of the sandbox that are read before it counts as none. */
const longestAnswer = 1024 * 1024;

function sandboxParts(
  options: ProvisionerOptions,
  { baseUrl, token, endsWithRun = false }: SandboxAccess,
): SandboxParts {
  const { target, secrets, waiting, closing, ledger } = options;
  const timeout = target.timing.requestTimeout;
  const dispatcher = new Agent({ maxResponseSize: longestAnswer, connect: { timeout }, ...soonClosed });
  return {
    access: { baseUrl, token, timeout, dispatcher },
    breaker: newBreaker("sandbox", "see whether the sandbox of the target still runs"),
    scopes: newSandboxScopes(options.scopes),
    limits: options.limits,
    ...{ secrets, waiting, closing, ledger, endsWithRun },
  };
}

/** Makes an organization for whoever asks, and gives all of them back at the end. */
function fixtureOf(make: (wish: TenantWish) => Promise<Tenant>): Fixture {
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
  { sender, waiting, hooks, ledger }: ProvisionerOptions,
  organization: Omit<GivenOrganization, "hooks" | "waiting" | "ledger" | "call">,
): Tenant {
  const tenant = givenTenant({
    ...organization,
    ...{ hooks, waiting, ledger },
    async call(operation, { body }, as) {
      const { method, path } = operations[operation];
      for (let tries = 1; ; tries += 1) {
        const headers = { authorization: `Bearer ${as.token}`, "content-type": "application/json" };
        const exchange = await sender.send({ method, path, headers, body: JSON.stringify(body) });
        const seconds = Number(retryAfterIn(exchange) ?? 1);
        const isThrottled = statusOf(exchange) === rowNamed("RateLimited").referenceStatus;
        if (!isThrottled || tries > patience || !(seconds > 0 && seconds <= longestRefill)) return exchange;
        await tenant.advance(seconds, "room for one more key");
      }
    },
  });
  return tenant;
}
