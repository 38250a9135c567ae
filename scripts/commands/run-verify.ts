import type { Effect } from "../../conformance/arrangements/effect.ts";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { gapNotice } from "../../conformance/promises/gap-notice.ts";
import { paintWith } from "../../conformance/reports/paint.ts";
import { planJson, planText, startNotice, waitNotice } from "../../conformance/reports/plan-text.ts";
import { resultsJson } from "../../conformance/reports/results-json.ts";
import { terminalReport } from "../../conformance/reports/terminal.ts";
import { prepareReportFolder, ReportsUnwritable, writeReports } from "../../conformance/reports/write-reports.ts";
import type { Baseline } from "../../conformance/runner/baseline.ts";
import { judgeBaseline } from "../../conformance/runner/judge-baseline.ts";
import { planOf } from "../../conformance/runner/plan.ts";
import type { RunOptions } from "../../conformance/runner/run.ts";
import { exitCodeOf, type Profile } from "../../conformance/runner/run-result.ts";
import type { Target } from "../../conformance/target/target.ts";
import { readBaseline } from "../baseline/read-baseline.ts";
import { type BegunReference, referenceFlag } from "./begin-reference.ts";
import { CannotRun } from "./cannot-run.ts";
import { checkFilters } from "./check-filters.ts";
import { readyFor } from "./ready-for.ts";
import { referenceTarget } from "./reference-target.ts";
import { runWatched } from "./run-watched.ts";
import { targetFrom } from "./target-from.ts";
import { type TargetOptions, targetFlags } from "./target-options.ts";
import { usesColour } from "./uses-colour.ts";

/** What the flags of the command say. */
export interface VerifyOptions extends TargetOptions {
  readonly reference?: boolean;
  readonly profile?: Profile;
  readonly allow?: ReadonlySet<Effect>;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly seed: number;
  readonly path?: string;
  readonly runs?: number;
  readonly jobs?: number;
  readonly report: string;
  readonly baseline?: string;
  readonly plan?: boolean;
  readonly format: "text" | "json";
  readonly quiet?: boolean;
}

/** Checks the target that the flags describe, or the reference server that was begun for it. */
export async function verify(options: VerifyOptions, begun: BegunReference | null): Promise<0 | 1 | 2> {
  const only = checkFilters("--only", options.only ?? [], allChecks);
  const skip = checkFilters("--skip", options.skip ?? [], allChecks);
  const [one] = only.length === 1 ? allChecks.filter((check) => check.id === only[0]) : [];
  if (options.path !== undefined && one?.kind === "scenario") {
    throw new CannotRun(`--path: ${one.id} chooses no values.\n  Leave it out: the check does the same each time.`);
  }
  if (options.path !== undefined && one === undefined) {
    throw new CannotRun(
      "--path: A counterexample belongs to one check.\n  Name that check, and nothing else, with --only.",
    );
  }
  const baseline = options.baseline === undefined ? null : await readBaseline(options.baseline);
  const target = begun === null ? await targetFrom(options) : await referenceTarget(begun, options);
  return verifyTarget(target, options, baseline, {
    profile: options.profile ?? (begun === null ? "core" : "full"),
    ...{ allow: options.allow ?? new Set(), only, skip, seed: options.seed, path: options.path ?? null },
    ...{ runs: options.runs ?? null, jobs: options.jobs ?? (begun === null ? null : jobsOfReference) },
    targetFlags: begun === null ? targetFlags(options, target) : [referenceFlag],
  });
}

/** A target is spared unless its owner wants it busy; the reference waits for nothing but its machine. */
const jobsOfReference = 64;

type Asked = Omit<RunOptions, "signal" | "progress">;

async function verifyTarget(
  target: Target,
  options: VerifyOptions,
  baseline: Baseline | null,
  asked: Asked,
): Promise<0 | 1 | 2> {
  const { format, report, quiet = false } = options;
  const width = process.stdout.columns ?? 100;
  const colour = format === "text" && usesColour(process.stdout);
  const plan = planOf(target, allChecks, asked);
  if (options.plan === true) {
    const about = { profile: asked.profile, runs: asked.runs, width };
    process.stdout.write(
      format === "json" ? planJson(plan, target, about) : planText(plan, target, about, paintWith(colour)),
    );
    return 0;
  }
  await readyFor(target, asked);
  await orCannotRun(prepareReportFolder(report));
  const notices = quiet ? [] : [gapNotice(allChecks), startNotice(plan, target), waitNotice(plan, target, asked.runs)];
  for (const notice of notices) if (notice !== null) process.stderr.write(`${notice}\n`);
  const found = await runWatched(target, asked, quiet);
  const result =
    baseline === null ? found : { ...found, baseline: judgeBaseline(baseline, { result: found, checks: allChecks }) };
  const reports = await orCannotRun(writeReports(result, report));
  process.stdout.write(
    format === "json" ? resultsJson(result) : terminalReport(result, { colour, width, reports, quiet }),
  );
  return exitCodeOf(result);
}

async function orCannotRun<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (problem) {
    if (problem instanceof ReportsUnwritable) throw new CannotRun(`${problem.message}\n  ${problem.fix}`);
    throw problem;
  }
}
