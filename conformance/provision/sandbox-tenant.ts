import * as sandbox from "../../generated/client/sandbox-organizations.ts";
import { errorRows } from "../../generated/error-rows.ts";
import type { SandboxKey } from "../../generated/models/sandbox-organizations.ts";
import { operations } from "../../generated/operations.ts";
import { type Answer, NotAnEnvelope, type Transport } from "../../generated/runtime/transport.ts";
import type { SandboxOrganization } from "../arrangements/arrangement.ts";
import { waysToMeet } from "../arrangements/offers.ts";
import { organizationState } from "../arrangements/organization-state.ts";
import type { Secrets } from "../exchange/redaction.ts";
import type { Breaker } from "../liveness/breaker.ts";
import { checkSignal } from "../liveness/deadline.ts";
import { firstOf } from "../liveness/first-of.ts";
import { whyEnded } from "../liveness/or-ended.ts";
import { Blocked } from "../outcome/verdict.ts";
import { isSilence, lostBecause } from "../sending/lost.ts";
import { sandboxStep, tellStep } from "../story/stories.ts";
import type { Ledger } from "./ledger.ts";
import type { SandboxScopes } from "./sandbox-scopes.ts";
import { newShared } from "./shared.ts";
import type { Credential, Tenant, TenantWish } from "./tenant.ts";
import { usualSettings } from "./usual-settings.ts";
import type { Waiting } from "./wait.ts";

/** What sandbox tenants share: the way to the sandbox, the scopes that it grants, and the secrets of the run. */
export interface SandboxParts {
  readonly access: Transport;
  /** Whether the sandbox is there; once it is not, nothing is asked of it any more. */
  readonly breaker: Breaker;
  /** Ends what even an interrupted run waits for: that an organization is made and becomes known, and deleted again. */
  readonly closing: AbortSignal;
  readonly ledger: Ledger;
  /** Whether organizations end with the run by themselves: none is noted or deleted. */
  readonly endsWithRun: boolean;
  readonly scopes: SandboxScopes;
  /** Limits that it can set, by name; null where it does not tell. */
  readonly limits: readonly string[] | null;
  readonly secrets: Secrets;
  readonly waiting: Waiting;
}

/** Times that a clock is asked to run what is still due. */
const mostSettling = 10;

/** Creates an organization through the sandbox API. */
export async function newSandboxTenant(parts: SandboxParts, wish: TenantWish): Promise<Tenant> {
  const { access, breaker, closing, ledger } = parts;
  refuseLimits(parts, wish);
  const lasting: Transport = { ...access, signal: firstOf(closing, breaker.signal) };
  const ends = checkSignal() ?? closing;
  const transport: Transport = { ...access, signal: firstOf(ends, breaker.signal) };
  const arranged = <Data>(what: string, call: SandboxCall<Data>, unblock?: string): Promise<Data> =>
    arrangedBy(breaker, ends, what, () => call(telling(transport, what)), unblock);
  const body: TenantWish = { clock: "real", ...usualSettings, ...wish };
  const manualClock = body.clock === "manual";
  const created = await arrangedBy(breaker, ends, "create an organization", () =>
    sandbox.createOrganization(telling(lasting, "create an organization"), { body }),
  );
  const thing = { kind: "sandbox-organization", id: created.id, organizationId: created.id } as const;
  if (!parts.endsWithRun) ledger.made(thing);
  const path = { id: created.id };
  const keys = newShared<string, Credential>();
  // A manual clock stands where the sandbox has last put it; NaN where that was not told.
  let standsAt = Date.parse(created.now);
  let count = 0;
  const organization: SandboxOrganization = {
    path,
    ask: arranged,
    learn(secret, name) {
      count += 1;
      parts.secrets.learn(secret, `${name}_${created.id.slice(-4)}_${count}`, null);
    },
  };

  const credentialOf = ({ id, scopes, plaintext }: SandboxKey, list: string): Credential => {
    organization.learn(plaintext, "KEY");
    return { name: `key with ${list}`, token: plaintext, id, scopes, tenant };
  };
  const createKey = async (scopes: readonly string[]): Promise<Credential> => {
    const list = scopes.join(", ");
    const key = await arranged(
      `create a key with ${list}`,
      (transport) => sandbox.createOrganizationKey(transport, { path, body: { scopes } }),
      "have the sandbox grant keys with these scopes",
    );
    return credentialOf(key, list);
  };
  const nameOf = (scopes: readonly string[]): string => [...scopes].sort().join(" ");
  const keyWith: Tenant["keyWith"] = (scopes, options) =>
    options?.unused ? createKey(scopes) : keys.get(nameOf(scopes), () => createKey(scopes));
  const allScopes = (): Promise<readonly string[]> =>
    parts.scopes(async (scopes) => {
      try {
        await keyWith(scopes);
        return true;
      } catch (error) {
        if (error instanceof SandboxRefusal) return false;
        throw error;
      }
    });
  const tenant: Tenant = {
    id: created.id,
    own: true,
    fresh: true,
    manualClock,
    async now() {
      if (!manualClock) return Date.now();
      return Number.isNaN(standsAt) ? Date.parse((await tenant.arrange(organizationState, {})).now) : standsAt;
    },
    main: async () => ({ ...(await keyWith(await allScopes())), name: "key with all scopes" }),
    keyWith,
    async advance(seconds, why) {
      if (!manualClock) return parts.waiting.wait(seconds, why);
      const move = async (by: number): Promise<boolean> => {
        const before = standsAt;
        standsAt = Number.NaN;
        const moved = await arranged("move the clock", (transport) =>
          sandbox.advanceClock(transport, { path, body: { seconds: by } }),
        );
        standsAt = Math.max(before, Date.parse(moved.now));
        return moved.settled;
      };
      let settled = await move(seconds);
      // What was due and did not run within the sandbox's own bound is still due.
      for (let more = 0; settled === false && more < mostSettling; more += 1) settled = await move(0);
      if (settled !== false) return;
      throw new Blocked(
        `${why}: what was due had not run after the clock was moved ${mostSettling + 1} times`,
        "see why the deliveries of the target take so long",
        "environment",
      );
    },
    can: ({ sandbox: does }) => does !== null,
    async arrange(arrangement, input) {
      if (arrangement.sandbox !== null) return arrangement.sandbox(organization, input);
      throw new Blocked(`the kit cannot ${arrangement.does} through the sandbox`, waysToMeet(arrangement));
    },
    async dispose() {
      if (parts.endsWithRun) return;
      const deleted = () =>
        arrangedBy(breaker, closing, "delete an organization", () => sandbox.deleteOrganization(lasting, { path }));
      // An answer that is lost does not say whether it was carried out: asked again, the sandbox may know it no more.
      const gone = deleted().catch((lost) => {
        if (lost instanceof SandboxRefusal) throw lost;
        return deleted().catch((refused) => {
          if (!(refused instanceof SandboxRefusal && refused.status === errorRows.SandboxNotFound.status))
            throw refused;
        });
      });
      await gone.then(
        () => ledger.gone(thing),
        // It stays in the ledger, and says nothing about the API under test.
        () => undefined,
      );
    },
  };
  const { key: first } = created;
  if (typeof first?.plaintext === "string" && Array.isArray(first.scopes))
    await keys.get(nameOf(first.scopes), async () => credentialOf(first, first.scopes.join(", ")));
  return tenant;
}

/** Blocks what the sandbox says it cannot set, so that the advice is not about a refusal that it announced. */
function refuseLimits({ limits }: SandboxParts, wish: TenantWish): void {
  const unset = Object.keys(wish.limits ?? {})
    .filter((name) => limits !== null && !limits.includes(name))
    .sort();
  if (unset.length === 0) return;
  throw new Blocked(
    `the sandbox cannot set an organization's limits ${unset.join(", ")}`,
    `have the sandbox set them too, and name them among the buckets of ${operations.getCapabilities.path}`,
    "environment",
  );
}

/** A call of the sandbox; `transport` is the way to it. */
type SandboxCall<Data> = (transport: Transport) => Promise<Answer<Data>>;

/** A way to the sandbox on which what is asked becomes part of the check's story. */
const telling = (transport: Transport, what: string): Transport => ({
  ...transport,
  observed: (call) => tellStep(sandboxStep(what, call)),
});

/** The sandbox was asked for something and said no. */
class SandboxRefusal extends Blocked {
  readonly status: number;

  constructor(status: number, ...told: ConstructorParameters<typeof Blocked>) {
    super(...told);
    this.status = status;
  }
}

/** A refused or lost set-up call blocks; it is never a breach of the API under test. */
async function arrangedBy<Data>(
  breaker: Breaker,
  ends: AbortSignal,
  what: string,
  call: () => Promise<Answer<Data>>,
  unblock = "check the sandbox of the target: npx bylaw doctor",
): Promise<Data> {
  for (const signal of [ends, breaker.signal]) if (signal.aborted) throw whyEnded(signal);
  const attempt = breaker.begin();
  let answer: Answer<Data>;
  try {
    answer = await call();
    attempt.answered(`it was asked to ${what}`);
  } catch (error) {
    if (ends.aborted) throw whyEnded(ends);
    const lost = lostBecause(error);
    if (error instanceof NotAnEnvelope) attempt.answered(`it was asked to ${what}`);
    else if (isSilence(lost)) attempt.unanswered(lost.reason);
    else attempt.cutOff(lost.reason);
    if (breaker.signal.aborted) throw whyEnded(breaker.signal);
    throw new Blocked(
      `the sandbox did not ${what}: ${error instanceof Error ? error.message : String(error)}`,
      unblock,
      "environment",
    );
  }
  if (answer.ok && typeof answer.data === "object") return answer.data;
  if (answer.ok) throw new Blocked(`the sandbox did not ${what}: its answer has no data`, unblock, "environment");
  const { status, error } = answer;
  const refusal = `the sandbox refused to ${what}: ${status} ${error.code}, ${error.message}`;
  // What fails by itself may be granted the next time.
  throw status < 500
    ? new SandboxRefusal(status, refusal, unblock, "environment")
    : new Blocked(refusal, unblock, "environment");
}
