import type { OrganizationState } from "../../generated/models/sandbox-organizations.ts";
import type { RuleId } from "../../generated/rules.ts";
import type { CheckContext } from "../context/context.ts";
import { changedParts } from "../evidence/state-changes.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Tenant } from "../provision/tenant.ts";
import { changeText, stateText, untilAtRest } from "./effect-of.ts";
import { settledState } from "./settle.ts";

/** Seconds between looks: an hourly, a daily and a weekly job run in them. */
const spansSeconds = [2 * 3600, 2 * 86_400, 6 * 86_400] as const;

/** Calls in an organization, and the state that must last after them. */
export interface LaterCourse<Begun extends { readonly tenant: Tenant }> {
  /** Creates an organization and prepares the calls. */
  readonly begin: () => Promise<Begun>;
  /** Makes the calls and waits for their effects. */
  readonly act: (begun: Begun) => Promise<readonly Exchange[]>;
  /** Runs after the calls and, in an organization for comparison, without them. */
  readonly proceed?: (begun: Begun) => Promise<unknown>;
  /** Returns true if the later state is as valid as the earlier one. By default nothing may differ. */
  readonly isKept?: (later: OrganizationState, earlier: OrganizationState, begun: Begun) => boolean;
}

/** The state right after calls, and at later times. */
export interface LaterLooks {
  readonly before: OrganizationState;
  readonly looks: readonly { readonly state: OrganizationState; readonly seconds: number }[];
}

interface Watched<Begun> extends LaterLooks {
  readonly exchanges: readonly Exchange[];
  readonly begun: Begun | null;
}

/** Returns true if the wallet holds the same amount. */
export const isSameWallet = (later: OrganizationState, earlier: OrganizationState): boolean =>
  later.wallet_micros === earlier.wallet_micros;

/** Reads the state again after hours and days of the manual clock. Without a manual clock there are no looks. */
export async function looksLater(tenant: Tenant): Promise<LaterLooks> {
  const before = await settledState(tenant);
  const looks: { readonly state: OrganizationState; readonly seconds: number }[] = [];
  let seconds = 0;
  for (const span of tenant.manualClock ? spansSeconds : []) {
    await tenant.advance(span, "what a call may do hours or days later");
    seconds += span;
    looks.push({ state: await settledState(tenant), seconds });
  }
  return { before, looks };
}

/**
 * Verifies that the state after calls stays the same for hours and days. A change counts if it also occurs in a new
 * organization at rest, and not in one without the calls: time alone may change an organization.
 *
 * @param first Earlier calls, and the looks after them.
 */
export async function lastsLater<Rule extends RuleId, Begun extends { readonly tenant: Tenant }>(
  t: CheckContext<Rule>,
  rule: Rule,
  course: LaterCourse<Begun>,
  more: {
    readonly first?: LaterLooks & { readonly exchanges: readonly Exchange[] };
    readonly warnOnly?: boolean;
    readonly question?: string;
  } = {},
): Promise<boolean> {
  const { first, ...evidence } = more;
  const { change, exchanges } = await changeLater(t, course, first);
  return t.verify(rule, change === null, {
    expected: "the organization as it was after the call, hours and days later",
    actual: change === null ? "that" : `${changeText(change)}, within ${Math.round(change.seconds / 3600)} hours`,
    isEffect: true,
    exchanges,
    ...evidence,
  });
}

async function changeLater<Begun extends { readonly tenant: Tenant }>(
  t: CheckContext,
  course: LaterCourse<Begun>,
  made?: LaterLooks & { readonly exchanges: readonly Exchange[] },
) {
  const first = made === undefined ? await watched(t, course, { acts: true, rests: false }) : { ...made, begun: null };
  const { exchanges } = first;
  if (first.looks.every((_, index) => isKeptAt(course, first, index))) return { change: null, exchanges };
  const again = await watched(t, course, { acts: true, rests: true });
  const comparison = await watched(t, course, { acts: false, rests: true });
  const index = again.looks.findIndex(
    (_, at) => !isKeptAt(course, again, at) && !explains(course, comparison, again, at),
  );
  const look = again.looks[index];
  const change = look === undefined ? null : { before: again.before, after: look.state, seconds: look.seconds };
  return { change, exchanges: again.exchanges };
}

function isKeptAt<Begun extends { readonly tenant: Tenant }>(
  { isKept }: LaterCourse<Begun>,
  { before, looks, begun }: Watched<Begun>,
  index: number,
): boolean {
  const later = looks[index]?.state ?? before;
  return isKept === undefined || begun === null ? stateText(later) === stateText(before) : isKept(later, before, begun);
}

/** Returns true if an organization without the calls has changed in the same parts by then. */
function explains<Begun extends { readonly tenant: Tenant }>(
  course: LaterCourse<Begun>,
  comparison: Watched<Begun>,
  again: Watched<Begun>,
  index: number,
): boolean {
  if (course.isKept !== undefined) return !isKeptAt(course, comparison, index);
  const [parts, others] = [again, comparison].map(({ before, looks }) =>
    changedParts(before, looks[index]?.state ?? before),
  );
  if (parts === undefined || parts === null || others === undefined || others === null)
    return !isKeptAt(course, comparison, index);
  return parts.every((part) => others.includes(part));
}

async function watched<Begun extends { readonly tenant: Tenant }>(
  t: CheckContext,
  { begin, act, proceed }: LaterCourse<Begun>,
  { acts, rests }: { readonly acts: boolean; readonly rests: boolean },
): Promise<Watched<Begun>> {
  const begun = await begin();
  if (rests) await untilAtRest(t, begun.tenant);
  const exchanges = acts ? await act(begun) : [];
  await proceed?.(begun);
  if (rests) await untilAtRest(t, begun.tenant);
  return { exchanges, begun, ...(await looksLater(begun.tenant)) };
}
