import type { BucketName } from "../../generated/limits.ts";
import { operations } from "../../generated/operations.ts";
import { deleteOrganization, freshOrganization, newOrganization } from "../arrangements/fresh-organization.ts";
import { bothText } from "../arrangements/offers.ts";
import { hookOf } from "../arrangements/requirement.ts";
import type { Check } from "../context/check.ts";
import { bucketSize, callDraws, type Draws, drawnIn, sumOfDraws, totalOf } from "../context/draws.ts";
import type { Plan } from "../runner/plan.ts";
import type { NextStep, Profile } from "../runner/run-result.ts";
import { drawsOf, drawsTogether, waitSecondsOf } from "../runner/waits.ts";
import { durationText } from "../target/duration.ts";
import type { Target } from "../target/target.ts";
import { counted } from "./counted.ts";
import { furtherHead, profileNames } from "./headline.ts";
import type { Paint } from "./paint.ts";
import { labelled, padEnd, padStart, table } from "./text-layout.ts";

/** What a run would cost the target, as far as it can be told beforehand. */
export interface PlanCost {
  readonly draws: Draws;
  /** Seconds of waiting that the draws may take at the contract's limits. */
  readonly waitSeconds: number;
}

export function costOf(plan: Plan, target: Target, runs: number | null): PlanCost {
  const runsOf = (check: Check): number => runs ?? plan.runs(check);
  const checks = runnable(plan);
  return {
    draws: freshOrganization.isMet(target)
      ? sumOfDraws(checks.map((check) => drawsOf(check, runsOf(check))))
      : drawsTogether(checks, runsOf),
    waitSeconds: waitSecondsOf(checks, target, runsOf),
  };
}

const runnable = (plan: Plan): readonly Check[] => plan.checks.filter((p) => p.blocked === null).map((p) => p.check);

export interface PlanTextOptions {
  readonly profile: Profile;
  readonly runs: number | null;
  readonly width: number;
}

/** What a run would do, for people. */
export function planText(plan: Plan, target: Target, options: PlanTextOptions, paint: Paint): string {
  const checks = runnable(plan);
  const cost = costOf(plan, target, options.runs);
  const rows = checks.map((check) => [
    check.id,
    check.effects.filter((effect) => effect !== "reads").join(", ") || "reads",
    String(totalOf(drawsOf(check, options.runs ?? plan.runs(check)))),
  ]);
  const lines = table(["check", "does", "draws"], rows, 2);
  const titles = checks.map((check) => check.title);
  const sections = [
    [
      `${paint.bold(`Plan of a ${profileNames[options.profile]} run`)} against ${target.baseUrl}; nothing was sent.`,
      `${counted(checks.length, "check")}, ${plan.jobs} at a time, would set out to decide ${counted(plan.rules.length, "rule")}.`,
      ...(plan.scope === null ? [] : [plan.scope]),
    ],
    checks.length === 0
      ? []
      : [
          paint.dim(`${lines.head}   says`),
          ...lines.rows.map((row, i) => `${padEnd(row, lines.head.length)}   ${titles[i]}`),
        ],
    [paint.bold("Cost"), ...costLines(cost, target)],
    blockedLines(plan, paint, options.width),
    plan.nextSteps.length === 0
      ? []
      : [paint.bold(furtherHead(options.profile)), ...nextStepLines(plan.nextSteps, options.width)],
  ];
  return `${sections
    .filter((section) => section.length > 0)
    .map((section) => section.join("\n"))
    .join("\n\n")}\n`;
}

/** What more would help, a step a line or several. */
export const nextStepLines = (steps: readonly NextStep[], width: number): readonly string[] =>
  steps.flatMap(({ rules, advice }) =>
    labelled(`  ${padStart(`+ ${counted(rules, "rule")}`, 11)}  `, advice, 15, width),
  );

/** What a run is going to do, in one line. */
export function startNotice(plan: Plan, { baseUrl }: Target): string {
  const checks = counted(runnable(plan).length, "check");
  return `Runs ${checks}, ${plan.jobs} at a time, against ${baseUrl} to decide ${counted(plan.rules.length, "rule")}.`;
}

/** Says how long a run may wait for limits, and for which; null if its calls draw on none or it may not wait. */
export function waitNotice(plan: Plan, target: Target, runs: number | null): string | null {
  const { waitSeconds, draws } = costOf(plan, target, runs);
  const most = Math.min(waitSeconds, target.timing.maxWait);
  if (most === 0) return null;
  return (
    `If the server refuses calls for a limit, the run waits, ${durationText(most * 1000)} at most in all (--max-wait). ` +
    `The contract's limits are ${bothText(drawnIn(draws).map(([name]) => sizeOf(name)))}.`
  );
}

/** What a new key draws on. */
const keyDraws = callDraws(operations.createApiKey.draws, 1);

/** Such as "apiKeyWrites (10 in 1 min)". */
function sizeOf(name: BucketName): string {
  const { capacity, periodSeconds } = bucketSize(name);
  return `${name} (${capacity} in ${durationText(periodSeconds * 1000)})`;
}

/** Such as "at most 12 calls on apiKeyWrites (10 in 1 min)". */
function drawsText(draws: Draws): string {
  const drawn = drawnIn(draws).map(([name, calls]) => `${counted(calls, "call")} on ${sizeOf(name)}`);
  return drawn.length === 0 ? "none" : `at most ${bothText(drawn)}`;
}

function costLines({ draws, waitSeconds }: PlanCost, target: Target): readonly string[] {
  const { sandbox, timing } = target;
  const givesBack = hookOf(target, deleteOrganization) !== null;
  const drawn = `  draws    ${drawsText(draws)}`;
  const keys = drawnIn(keyDraws).reduce((most, [name]) => Math.max(most, draws[name] ?? 0), 0);
  if (sandbox !== null) {
    return [
      `${drawn}, spread over organizations that the sandbox makes`,
      "  waits    not at all: sandbox clocks are moved",
      "  leaves   nothing: the organizations are deleted again",
    ];
  }
  const allowed = durationText(timing.maxWait * 1000);
  const waits =
    waitSeconds === 0
      ? "not at all"
      : `up to ${durationText(waitSeconds * 1000)} at the contract's limits; ${allowed} is allowed (--max-wait)`;
  return [
    drawn,
    `  waits    ${waits}`,
    ...(hookOf(target, newOrganization) === null
      ? []
      : givesBack
        ? []
        : ["  leaves   the organizations that the hook makes, one or two a check"]),
    keys === 0 || givesBack
      ? "  leaves   nothing"
      : `  leaves   at most ${counted(keys, "API key")}, which a client of the API cannot delete`,
  ];
}

function blockedLines(plan: Plan, paint: Paint, width: number): readonly string[] {
  const blocked = plan.checks.flatMap(({ check, blocked: why }) => (why === null ? [] : [{ check, why }]));
  if (blocked.length === 0) return [];
  const groups = Map.groupBy(blocked, ({ why }) =>
    why.unblock === null ? why.message : `${why.message}\n→ ${why.unblock}`,
  );
  return [
    paint.bold("Would not run"),
    ...[...groups].flatMap(([why, members]) =>
      labelled(`  ${padStart(counted(members.length, "check"), 9)}  `, why, 13, width),
    ),
  ];
}

/** The same as JSON. */
export function planJson(plan: Plan, target: Target, { profile, runs }: PlanTextOptions): string {
  const value = {
    ...{ profile, target: { baseUrl: target.baseUrl, sandbox: target.sandbox !== null }, jobs: plan.jobs },
    rules: plan.rules,
    cost: costOf(plan, target, runs),
    checks: plan.checks.map(({ check, blocked }) => ({
      ...{ id: check.id, title: check.title, kind: check.kind, rules: check.rules, needs: check.needs },
      ...{ effects: check.effects, draws: check.draws, runs: runs ?? plan.runs(check), blocked },
    })),
    nextSteps: plan.nextSteps,
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
