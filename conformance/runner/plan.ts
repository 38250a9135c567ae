import { operationList } from "../../generated/operations.ts";
import { type RuleId, rules } from "../../generated/rules.ts";
import type { Check, Effect, Need } from "../check/check.ts";
import { invariants } from "../monitor/invariants.ts";
import type { Target } from "../target/target.ts";
import type { NextStep, Profile } from "./run-result.ts";
import { type Served, servedBy } from "./served.ts";

/** What a run would do. */
export interface Plan {
  /** Checks that were asked for, in the order in which they start. */
  readonly checks: readonly PlannedCheck[];
  /** Rules that the run sets out to decide. */
  readonly rules: readonly RuleId[];
  /** What of the contract the target leaves out. */
  readonly served: Served;
  readonly nextSteps: readonly NextStep[];
  /** Checks at a time. */
  readonly jobs: number;
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
}

/** Effects that are harmless enough to need no leave. */
const harmless: ReadonlySet<Effect> = new Set<Effect>(["reads", "creates"]);

const exhausting = "leave to use up limits: --allow exhausts, and time to wait: --max-wait 120";

const advice: Readonly<Record<Need | "allow", string>> = {
  key: "a key: BYLAW_API_KEY",
  "other-organization": "a second organization's key: BYLAW_OTHER_API_KEY",
  "fresh-organization": "a sandbox: BYLAW_SANDBOX_URL and BYLAW_SANDBOX_TOKEN",
  "full-bucket": exhausting,
  "manual-clock": "a sandbox: BYLAW_SANDBOX_URL and BYLAW_SANDBOX_TOKEN",
  "limit-override": "a sandbox: BYLAW_SANDBOX_URL and BYLAW_SANDBOX_TOKEN",
  "revoked-key": "a revoked key: BYLAW_REVOKED_KEY",
  revocation: "a sandbox: BYLAW_SANDBOX_URL and BYLAW_SANDBOX_TOKEN",
  session: "a user's session token: BYLAW_SESSION_TOKEN",
  state: "a sandbox: BYLAW_SANDBOX_URL and BYLAW_SANDBOX_TOKEN",
  outage: "a sandbox: BYLAW_SANDBOX_URL and BYLAW_SANDBOX_TOKEN",
  receiver: "a receiver: --receiver-listen 127.0.0.1:9100, with --receiver-url where the target sees it elsewhere",
  emit: "an emit_event hook, or a sandbox",
  "endpoint-edit": "a change_endpoint hook, or a sandbox",
  "forced-answers": "a sandbox: BYLAW_SANDBOX_URL and BYLAW_SANDBOX_TOKEN",
  callback: "a send_callback hook, or a sandbox",
  allow: exhausting,
};

/** Decides what is run, in which order, and what more could be if the target offered more. Sends nothing. */
export function planOf(target: Target, checks: readonly Check[], options: PlanOptions): Plan {
  const chosen = checks.filter((check) => isChosen(check, options) && fits(check, options.profile));
  const planned = chosen.map((check) => ({ check, blocked: blockOf(check, target, options) })).sort(byHarm);
  const sandbox = target.sandbox !== null;
  const isolated = sandbox || target.hooks.newOrganization !== undefined;
  const defaultRuns = sandbox ? 50 : 5;
  return {
    checks: planned,
    rules: rulesOf(checks, options),
    served: servedOf(target),
    nextSteps: nextStepsOf(target, checks, options),
    jobs: isolated ? 4 : 1,
    runs: (check) => (sandbox || check.draws === 0 ? defaultRuns : 2),
    defaultRuns,
  };
}

/** Whether a check that will run wants the kit's receiver. */
export const needsReceiver = (plan: Plan): boolean =>
  plan.checks.some(({ check, blocked }) => blocked === null && check.needs.includes("receiver"));

/** Whether a check is within the reach of a URL and one key, doing no harm. */
const isCore = (check: Check): boolean =>
  check.needs.every((need) => need === "key") && check.effects.every((effect) => harmless.has(effect));

const fits = (check: Check, profile: Profile): boolean => profile === "full" || isCore(check);

/** What filters name: a check, a rule, or an area of rules. */
const names = (check: Check, filter: string): boolean =>
  check.id === filter ||
  check.id.startsWith(`${filter}.`) ||
  check.rules.some((rule) => rule === filter || rule.startsWith(`${filter}-`));

function isChosen(check: Check, { only, skip }: PlanOptions): boolean {
  // The monitor's rules are decided by whatever is exchanged.
  const watched = only.some((filter) =>
    invariants.some(({ rule }) => rule === filter || rule.startsWith(`${filter}-`)),
  );
  if (only.length > 0 && !watched && !only.some((filter) => names(check, filter))) return false;
  return !skip.some(
    (filter) => check.id === filter || check.rules.every((r) => r === filter || r.startsWith(`${filter}-`)),
  );
}

function blockOf(check: Check, target: Target, { allow }: PlanOptions): Block | null {
  const unserved = servedOf(target).check(check);
  if (unserved !== null) return { verdict: "not_applicable", message: unserved, unblock: null };
  const blocked = (message: string, unblock: string): Block => ({ verdict: "blocked", message, unblock });
  const need = check.needs.find((n) => !offers(target, n));
  if (need) return blocked(lacking(need), `give the kit ${advice[need]}`);
  const effect = check.effects.find((e) => !harmless.has(e) && !allow.has(e) && target.sandbox === null);
  if (effect) return blocked(`the check ${effect} and was not allowed to`, `allow it: --allow ${effect}`);
  return null;
}

const lacking = (need: Need): string =>
  need === "receiver"
    ? "the kit has no receiver to which the target could deliver"
    : `the target offers no ${need.replaceAll("-", " ")}`;

const servedOf = (target: Target): Served => servedBy(target.implements, operationList, (rule) => rules[rule].about);

function offers(target: Target, need: Need): boolean {
  // The receiver is the kit's own; no sandbox stands in for it.
  if (need === "receiver") return target.receiver !== null;
  if (target.sandbox !== null) return true;
  const { key, otherKey, session, revokedKey, timing } = target;
  const { newOrganization, revokeKey, advance: advanceHook, emitEvent, changeEndpoint, sendCallback } = target.hooks;
  switch (need) {
    case "key":
      return key !== null || newOrganization !== undefined;
    case "other-organization":
      return otherKey !== null || newOrganization !== undefined;
    case "fresh-organization":
      return newOrganization !== undefined;
    case "full-bucket":
      return newOrganization !== undefined || (key !== null && (timing.maxWait >= 60 || advanceHook !== undefined));
    case "manual-clock":
      return advanceHook !== undefined;
    case "revoked-key":
      return revokedKey !== null || revokeKey !== undefined;
    case "revocation":
      return revokeKey !== undefined;
    case "session":
      return key !== null && session !== null;
    case "emit":
      return emitEvent !== undefined;
    case "endpoint-edit":
      return changeEndpoint !== undefined;
    case "callback":
      return sendCallback !== undefined;
    case "limit-override":
    case "state":
    case "outage":
    case "forced-answers":
      return false;
  }
}

/** Readers first, so that a first verdict comes at once; what uses up limits last. */
function byHarm(a: PlannedCheck, b: PlannedCheck): number {
  const order: readonly Effect[] = ["reads", "creates", "spends", "sends", "exhausts"];
  const harm = ({ check }: PlannedCheck): number => Math.max(...check.effects.map((e) => order.indexOf(e)));
  return harm(a) - harm(b) || a.check.draws - b.check.draws;
}

function rulesOf(checks: readonly Check[], { profile, only, skip }: PlanOptions): RuleId[] {
  const reached = new Set<RuleId>([...checks.filter(isCore).flatMap((c) => c.rules), ...invariants.map((i) => i.rule)]);
  const ids = (Object.keys(rules) as RuleId[]).filter((id) => rules[id].unobservable === null);
  const inProfile = ids.filter((id) => profile === "full" || reached.has(id));
  const meant = (id: RuleId, filter: string): boolean =>
    id === filter ||
    id.startsWith(`${filter}-`) ||
    checks.some((c) => (c.id === filter || c.id.startsWith(`${filter}.`)) && c.rules.includes(id));
  return inProfile
    .filter(
      (id) =>
        (only.length === 0 || only.some((f) => meant(id, f))) && !skip.some((f) => id === f || id.startsWith(`${f}-`)),
    )
    .sort();
}

/** What to offer next, by the rules that it would add; only steps that are enough by themselves. */
function nextStepsOf(target: Target, checks: readonly Check[], options: PlanOptions): NextStep[] {
  const served = servedOf(target);
  const open = checks.filter((check) => isChosen(check, options) && served.check(check) === null);
  const rulesWith = (offered: string | null, profile: Profile): ReadonlySet<RuleId> =>
    new Set(
      open
        .filter((check) => fits(check, profile) && isOffered(check, target, options, offered))
        .flatMap((c) => c.rules),
    );
  const now = rulesWith(null, options.profile);
  const full = rulesWith(null, "full");
  const more = (then: ReadonlySet<RuleId>, before: ReadonlySet<RuleId>): number =>
    [...then].filter((rule) => !before.has(rule)).length;
  const needs = [...new Map(Object.entries(advice).map(([need, offered]) => [offered, need as keyof typeof advice]))];
  const steps = needs.map(
    ([offered, need]): NextStep => ({ need, advice: offered, rules: more(rulesWith(offered, "full"), full) }),
  );
  const profile: NextStep = { need: "key", advice: "nothing more than --profile full", rules: more(full, now) };
  return [profile, ...steps].filter(({ rules }) => rules > 0).sort((a, b) => b.rules - a.rules);
}

/** Whether the target, with what is offered besides, has all that a check needs and allows all that it does. */
function isOffered(check: Check, target: Target, { allow }: PlanOptions, offered: string | null): boolean {
  const sandbox = target.sandbox !== null || offered === advice["fresh-organization"];
  const allowed = sandbox || offered === advice.allow;
  const arranged = (need: Need): boolean => sandbox && need !== "receiver";
  const hasNeeds = check.needs.every((need) => offers(target, need) || arranged(need) || advice[need] === offered);
  return hasNeeds && check.effects.every((effect) => harmless.has(effect) || allow.has(effect) || allowed);
}
