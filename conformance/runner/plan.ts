import { operationList } from "../../generated/operations.ts";
import { type RuleId, rules } from "../../generated/rules.ts";
import { type Need, requirementOf } from "../arrangements/all.ts";
import type { Effect } from "../arrangements/effect.ts";
import { freshOrganization } from "../arrangements/fresh-organization.ts";
import type { Means } from "../arrangements/offers.ts";
import type { Check } from "../context/check.ts";
import { totalOf } from "../context/draws.ts";
import { invariants } from "../monitor/invariants.ts";
import type { Target } from "../target/target.ts";
import { isHarmless, lackOf } from "./lack.ts";
import { nextStepsOf, unlockText } from "./next-steps.ts";
import { inOrder } from "./order.ts";
import type { NextStep, Profile } from "./run-result.ts";
import { asksForChecks, namesCheck, namesRule, scopeText, watchedRules } from "./scope.ts";
import { type Served, servedBy } from "./served.ts";

/** What a run would do. */
export interface Plan {
  /** Checks that were asked for and that the profile runs, in the order in which they start. */
  readonly checks: readonly PlannedCheck[];
  /** Checks that filters leave in, whether the profile runs them or not. */
  readonly asked: readonly Check[];
  /** Rules that the run sets out to decide. */
  readonly rules: readonly RuleId[];
  /** Rules that every answer has to keep, which are judged besides where answers show them. */
  readonly shown: readonly RuleId[];
  /** What is run and judged, in a sentence; null where nothing was asked for in particular. */
  readonly scope: string | null;
  /** What of the contract the target leaves out. */
  readonly served: Served;
  readonly nextSteps: readonly NextStep[];
  /** Checks at a time: one where they share an organization, whose limits and time they would change for each other. */
  readonly jobs: number;
  /** What checks take turns with; undefined for those that meet no other. */
  readonly turnOf: (check: Check) => Need | undefined;
  /** Values tried for a property of this check. */
  readonly runs: (check: Check) => number;
  readonly defaultRuns: number;
}

export interface PlannedCheck {
  readonly check: Check;
  /** Why the check will not run; null when it will. */
  readonly blocked: Block | null;
}

/** The target lacks what a check needs, or does not implement what it is about. */
export interface Block {
  readonly verdict: "blocked" | "not_applicable";
  readonly message: string;
  /** The cheapest way to have the check run; null when there is none. */
  readonly unblock: string | null;
}

export interface PlanOptions {
  readonly profile: Profile;
  readonly allow: ReadonlySet<Effect>;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Checks at a time, where each has an organization of its own; as many as fit the target when left out. */
  readonly jobs?: number | null;
  /** Values tried for each property; as many as fit the target when left out. */
  readonly runs?: number | null;
}

/** Decides what is run, in which order, and what more could be if the target offered more. Sends nothing. */
export function planOf(target: Target, checks: readonly Check[], options: PlanOptions): Plan {
  throwIfUnknown(checks);
  const served = servedOf(target);
  const means: Means = { target, allow: options.allow };
  const isolated = freshOrganization.isMet(target);
  const chosen = checks.filter(chooser(options));
  const runs = (check: Check): number => options.runs ?? runsFor(target)(check);
  const inProfile = chosen.filter((check) => fits(check, options.profile));
  const planned = inOrder(inProfile, isolated ? null : runs).map((check) => ({
    check,
    blocked: blockOf(check, means, served),
  }));
  return {
    checks: planned,
    asked: chosen,
    rules: rulesOf(checks, options),
    shown: asksForChecks(options.only, checks) ? rulesOf(checks, { ...options, only: monitored }) : [],
    scope: scopeText(options.only, checks, planned.length),
    served,
    nextSteps: nextStepsOf({
      checks: chosen.filter((check) => served.check(check) === null),
      means,
      inProfile: (check) => fits(check, options.profile),
    }),
    jobs: isolated ? (options.jobs ?? 4) : 1,
    turnOf: ({ inTurn }) => (inTurn === undefined || requirementOf(inTurn).isMet(target) ? undefined : inTurn),
    runs: runsFor(target),
    defaultRuns: defaultRuns(target),
  };
}

/** Throws if a check names a rule that the generated files lack: the files of the kit do not fit together. */
function throwIfUnknown(checks: readonly Check[]): void {
  for (const check of checks) {
    const unknown = check.rules.find((rule) => !Object.hasOwn(rules, rule));
    if (unknown !== undefined)
      throw new Error(
        `The check ${check.id} names the rule ${unknown}, which generated/rules lacks: run npx bylaw lock and npx bylaw compile.`,
      );
  }
}

const monitored = invariants.map(({ rule }) => rule);

const defaultRuns = ({ sandbox }: Target): number => (sandbox === null ? 5 : 50);

const runsFor =
  (target: Target): Plan["runs"] =>
  (check) =>
    Math.min(
      target.sandbox !== null || totalOf(check.draws) === 0 ? defaultRuns(target) : 2,
      check.mostRuns ?? Number.POSITIVE_INFINITY,
    );

/** Whether a check that will run wants the kit's receiver. */
export const needsReceiver = (plan: Plan): boolean =>
  plan.checks.some(({ check, blocked }) => blocked === null && check.needs.includes("receiver"));

/** Whether a check is within the reach of a URL and one key, doing no harm. */
const isCore = (check: Check): boolean =>
  check.needs.every((need) => need === "key") && check.effects.every(isHarmless);

const fits = (check: Check, profile: Profile): boolean => profile === "full" || isCore(check);

/** What filters name: a check, a rule, or an area of rules. */
const names = (check: Check, filter: string): boolean =>
  namesCheck(check, filter) || check.rules.some((rule) => namesRule(rule, filter));

function chooser({ only, skip }: PlanOptions): (check: Check) => boolean {
  const areAllAsked = only.length === 0 || watchedRules(only).length > 0;
  return (check) =>
    (areAllAsked || only.some((filter) => names(check, filter))) &&
    !skip.some((filter) => check.id === filter || check.rules.every((rule) => namesRule(rule, filter)));
}

function blockOf(check: Check, means: Means, served: Served): Block | null {
  const unserved = served.check(check);
  if (unserved !== null) return { verdict: "not_applicable", message: unserved, unblock: null };
  const lack = lackOf(check, means);
  if (lack === null) return null;
  const message =
    lack.kind === "need" ? requirementOf(lack.need).lacking : `the check ${lack.effect} and was not allowed to`;
  return { verdict: "blocked", message, unblock: unlockText(check, means) };
}

const servedOf = (target: Target): Served => servedBy(target.implements, operationList, (rule) => rules[rule].about);

const reachedByCore = (checks: readonly Check[]): ReadonlySet<RuleId> =>
  new Set([...checks.filter(isCore).flatMap((check) => check.rules), ...monitored]);

/** The rules that a run can decide. */
const observable = (Object.keys(rules) as RuleId[]).filter((id) => rules[id].unobservable === null);

function rulesOf(checks: readonly Check[], { profile, only, skip }: PlanOptions): RuleId[] {
  const ofNamed = new Set(
    checks.filter((check) => only.some((filter) => namesCheck(check, filter))).flatMap((check) => check.rules),
  );
  const reached = profile === "full" ? null : reachedByCore(checks);
  const inProfile = observable.filter((id) => reached?.has(id) ?? true);
  const isMeant = (id: RuleId): boolean =>
    only.length === 0 || ofNamed.has(id) || only.some((filter) => namesRule(id, filter));
  return inProfile.filter((id) => isMeant(id) && !skip.some((filter) => namesRule(id, filter))).sort();
}
