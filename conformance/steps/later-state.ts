import type { OrganizationState } from "../../generated/models/sandbox-organizations.ts";
import type { RuleId } from "../../generated/rules.ts";
import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Tenant } from "../provision/tenant.ts";
import { changeText, stateText, untilAtRest } from "./effect-of.ts";
import { settledState } from "./settle.ts";

/** Seconds between looks: an hourly, a daily and a weekly job run in them. */
const spansSeconds = [2 * 3600, 2 * 86_400, 6 * 86_400] as const;

type IsKept<Begun> = (later: OrganizationState, earlier: OrganizationState, begun: Begun) => boolean;

type Comparison = (later: OrganizationState, earlier: OrganizationState) => boolean;

/** Calls in an organization, and the state that must last after them. */
export interface LaterCourse<Begun extends { readonly tenant: Tenant }> {
  /** Brings a new organization to where the calls are made. */
  readonly begin: () => Promise<Begun>;
  /** Makes the calls and waits for their effects. */
  readonly act: (begun: Begun) => Promise<readonly Exchange[]>;
  /** Does the same after the calls and, in an organization for comparison, without them. */
  readonly proceed?: (begun: Begun) => Promise<unknown>;
  /** Returns true if the later state is as right as the earlier one. */
  readonly isKept: IsKept<Begun>;
}

/** A state that did not last. */
export interface LaterChange {
  readonly before: OrganizationState;
  readonly after: OrganizationState;
  /** Seconds of the organization's time between both. */
  readonly seconds: number;
}

interface Watched {
  readonly exchanges: readonly Exchange[];
  /** Null if the state lasted. */
  readonly change: LaterChange | null;
}

/** Returns true if nothing of the organization is different. */
export const isSameState: Comparison = (later, earlier) => stateText(later) === stateText(earlier);

/** Returns true if the wallet holds the same amount. */
export const isSameWallet: Comparison = (later, earlier) => later.wallet_micros === earlier.wallet_micros;

/**
 * Looks at an organization again after hours and days of its manual clock, and returns the first state that did not last.
 * Null also if the clock is not the kit's.
 */
export async function changeLater(tenant: Tenant, isKept: Comparison = isSameState): Promise<LaterChange | null> {
  if (!tenant.manualClock) return null;
  const before = await settledState(tenant);
  let seconds = 0;
  for (const span of spansSeconds) {
    await tenant.advance(span, "what a call may do hours or days later");
    seconds += span;
    const after = await settledState(tenant);
    if (!isKept(after, before)) return { before, after, seconds };
  }
  return null;
}

/**
 * Watches the course until hours and days have passed. A change counts if it shows again in a new organization at rest, and
 * not in one in which the calls were not made: time alone may change an organization.
 *
 * @param first A course that was watched already.
 */
export async function watchedLater<Begun extends { readonly tenant: Tenant }>(
  t: CheckContext,
  course: LaterCourse<Begun>,
  first?: Watched,
): Promise<Watched> {
  const { change, exchanges } = first ?? (await watched(t, course, { acts: true, rests: false }));
  if (change === null) return { change, exchanges };
  const again = await watched(t, course, { acts: true, rests: true });
  if (again.change === null) return again;
  const comparison = await watched(t, course, { acts: false, rests: true });
  return comparison.change === null ? again : { ...again, change: null };
}

async function watched<Begun extends { readonly tenant: Tenant }>(
  t: CheckContext,
  { begin, act, proceed, isKept }: LaterCourse<Begun>,
  { acts, rests }: { readonly acts: boolean; readonly rests: boolean },
): Promise<Watched> {
  const begun = await begin();
  if (rests) await untilAtRest(t, begun.tenant);
  const exchanges = acts ? await act(begun) : [];
  await proceed?.(begun);
  if (rests) await untilAtRest(t, begun.tenant);
  return { exchanges, change: await changeLater(begun.tenant, (later, earlier) => isKept(later, earlier, begun)) };
}

/** Decides that what holds right after calls still holds hours and days later. */
export async function lastsLater<Rule extends RuleId, Begun extends { readonly tenant: Tenant }>(
  t: CheckContext<Rule>,
  rule: Rule,
  course: LaterCourse<Begun>,
  more: { readonly first?: Watched; readonly warnOnly?: boolean; readonly question?: string } = {},
): Promise<boolean> {
  const { first, ...evidence } = more;
  const { change, exchanges } = await watchedLater(t, course, first);
  return t.verify(rule, change === null, {
    expected: "the organization as it was after the call, hours and days later",
    actual: change === null ? "that" : `${changeText(change)}, within ${Math.round(change.seconds / 3600)} hours`,
    isEffect: true,
    exchanges,
    ...evidence,
  });
}
