import type { OrganizationState } from "../../generated/models/sandbox-organizations.ts";
import type { RuleId } from "../../generated/rules.ts";
import { organizationState } from "../arrangements/organization-state.ts";
import type { CheckContext } from "../context/context.ts";
import { stateChanges } from "../evidence/state-changes.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Tenant } from "../provision/tenant.ts";
import { eventuallyInState, settledState } from "./settle.ts";

/** What an organization was before and after a request. */
export interface Effect {
  readonly exchange: Exchange;
  readonly before: OrganizationState;
  readonly after: OrganizationState;
}

/** Sends a request that should change nothing in the organization. Blocks where the target does not tell the state. */
export type EffectOf = (tenant: Tenant, send: () => Promise<Exchange>) => Promise<Effect>;

/** Times that a request is sent which seems to have an effect. */
const patience = 3;

/** Looks in a row that show the same of an organization at rest. */
const looksAtRest = 6;

/** Something changed that may still be the effect of what was done before. */
class MayBeOlder extends Error {}

/**
 * The course of a check that looks at what requests change. Where something changed, all of it is done again in new
 * organizations, and there each request waits until the organization is at rest: what was done before may still have
 * had its effects, and what a request does once in an organization shows in each. One that others use as well cannot be
 * had anew: there the request alone is sent again.
 */
export const watchingEffects =
  <Rule extends RuleId>(course: (t: CheckContext<Rule>, effectOf: EffectOf) => Promise<void>) =>
  async (t: CheckContext<Rule>): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      const effectOf: EffectOf = async (tenant, send) => {
        if (!tenant.own) return effectOfRepeated(t, tenant, send);
        if (tries > 1) await untilAtRest(t, tenant);
        const effect = await effectOnce(tenant, send);
        if (!isChange(effect) || tries === patience) return effect;
        throw new MayBeOlder();
      };
      try {
        return await course(t, effectOf);
      } catch (error) {
        if (!(error instanceof MayBeOlder)) throw error;
      }
    }
  };

/**
 * Returns the effect of a request that the check can repeat: its own effect shows every time. The exchange is the first
 * one, because the server may refuse a repeated request.
 */
async function effectOfRepeated(t: CheckContext, tenant: Tenant, send: () => Promise<Exchange>): Promise<Effect> {
  let first: Exchange | null = null;
  for (let tries = 1; ; tries += 1) {
    const effect = await effectOnce(tenant, send);
    first ??= effect.exchange;
    if (!isChange(effect) || tries === patience) return { ...effect, exchange: first };
    await untilAtRest(t, tenant);
  }
}

async function effectOnce(tenant: Tenant, send: () => Promise<Exchange>): Promise<Effect> {
  const before = await settledState(tenant);
  const exchange = await send();
  return { exchange, before, after: await tenant.arrange(organizationState, {}) };
}

const isChange = ({ before, after }: Pick<Effect, "before" | "after">): boolean =>
  stateText(before) !== stateText(after);

/** Waits until the organization stays the same for a while. */
export async function untilAtRest(t: CheckContext, tenant: Tenant): Promise<void> {
  let last: string | null = null;
  let looks = 0;
  await eventuallyInState(t, tenant, (state) => {
    const text = stateText(state);
    looks = text === last ? looks + 1 : 1;
    last = text;
    return looks >= looksAtRest ? true : null;
  });
}

/** Decides that an organization has what it had. A breach tells what of that is another, as far as the target does. */
export const leftAsItWas = <Rule extends RuleId>(
  t: CheckContext<Rule>,
  rule: Rule,
  effect: Pick<Effect, "before" | "after">,
  ...exchanges: readonly Exchange[]
): boolean =>
  t.verify(rule, !isChange(effect), {
    expected: "the organization as it was before the call",
    actual: changeText(effect),
    isEffect: true,
    exchanges,
  });

/**
 * What of an organization is another, such as "wallet_micros 500 → 400, messages 1 → 2", and that it paid nothing where it
 * did not; "that" where nothing is another.
 */
export function changeText({ before, after }: Pick<Effect, "before" | "after">): string {
  const changes = stateChanges(before, after).join(", ");
  if (changes === "") return "that";
  return before.wallet_micros === after.wallet_micros ? `${changes}; wallet_micros as before` : changes;
}

/** All that an organization has, in one text. */
export const stateText = ({ digest, wallet_micros }: OrganizationState): string => `${digest} ${wallet_micros}`;
