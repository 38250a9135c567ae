import { type Command, Option } from "commander";
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
import { CannotRun } from "./cannot-run.ts";
import { checkFilters, listed } from "./check-filters.ts";
import { exitWith } from "./exit-with.ts";
import { readyFor } from "./ready-for.ts";
import { referenceFlag, startReference } from "./reference-target.ts";
import { runWatched } from "./run-watched.ts";
import { addTargetOptions, environmentHelp, type TargetOptions, targetFlags, targetFrom } from "./target-options.ts";
import { usesColour } from "./uses-colour.ts";
import { effectsFrom, pathFrom, seedFrom, usualSeed } from "./values-of-flags.ts";
import { wholeFrom } from "./whole-from.ts";

interface VerifyOptions extends TargetOptions {
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

/** Registers `verify`: checks an implementation against the contract. Exit codes: see its help. */
export function addVerify(program: Command): void {
  const command = program
    .command("verify")
    .description("check an implementation against the contract, over HTTP")
    .addOption(
      new Option(referenceFlag, "start the reference server with its sandbox and verify that, every rule").conflicts([
        ...["url", "target", "sandboxUrl", "keyStdin", "receiverListen", "receiverUrl"],
      ]),
    );
  addTargetOptions(command)
    .addOption(
      new Option(
        "--profile <name>",
        "core (the default): what an address and one key reach, harmlessly; full: every rule",
      ).choices(["core", "full"]),
    )
    .option("--allow <effects>", "leave for what is not harmless: spends, sends, exhausts", effectsFrom)
    .option("--only <ids>", "checks, rules or areas to run, such as KEYC-15 or limits", listed)
    .option("--skip <ids>", "checks, rules or areas to leave out", listed)
    .option("--seed <number>", "seed of all chosen values; random takes any", seedFrom, usualSeed)
    .option("--path <path>", "counterexample of the one check that --only names", pathFrom)
    .option("--runs <number>", "values to try for each property", wholeFrom(1, 100_000))
    .option("--jobs <number>", "checks at a time, where each has an organization of its own", wholeFrom(1, 64))
    .option("--report <folder>", "where the reports go", "report")
    .option("--baseline <file>", "failures that are known: they are tried and told, and do not fail the run")
    .option("--plan", "tell what the run would do and cost, and send nothing")
    .addOption(new Option("--format <form>", "what standard output gets").choices(["text", "json"]).default("text"))
    .option("--quiet", "print the verdict and where the reports lie, nothing else")
    .addHelpText("after", help)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action((options: VerifyOptions, self: Command) => exitWith(self, () => verify(options)));
}

const help = `${environmentHelp}

Examples:
  npx bylaw verify --url http://127.0.0.1:8080           with the key in BYLAW_API_KEY
  npx bylaw verify --target target.yaml --profile full --allow exhausts
  npx bylaw verify --url http://127.0.0.1:8080 --only KEYC,limits.api-key-burst
  npx bylaw verify --url http://127.0.0.1:8080 --plan
  npx bylaw verify --url http://127.0.0.1:8080 --baseline .bylaw/baseline.yaml

Exit codes:
  0   no violation that the baseline does not know, and something was decided
  1   a violation that it does not know, or a stale entry of it
  2   the run itself failed: bad input, target out of reach or gone, interrupted, or a fault of the kit
  130 interrupted twice`;

async function verify(options: VerifyOptions): Promise<0 | 1 | 2> {
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
  const reference = options.reference === true ? await startReference(options) : null;
  try {
    const target = reference?.target ?? (await targetFrom(options));
    return await verifyTarget(target, options, baseline, {
      profile: options.profile ?? (reference === null ? "core" : "full"),
      ...{ allow: options.allow ?? new Set(), only, skip, seed: options.seed, path: options.path ?? null },
      ...{ runs: options.runs ?? null, jobs: options.jobs ?? (reference === null ? null : jobsOfReference) },
      targetFlags: reference === null ? targetFlags(options, target) : [referenceFlag],
    });
  } finally {
    await reference?.close();
  }
}

/** A target is spared unless its owner wants it busy; the reference waits for nothing but its machine. */
const jobsOfReference = 16;

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
