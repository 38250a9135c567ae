import type { Command } from "commander";
import { didYouMean } from "../../compiler/text/nearest-name.ts";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { leaveFor } from "../../conformance/reports/replay-command.ts";
import type { Results, ResultsFailure, ResultsRule } from "../../conformance/reports/results-json.ts";
import { storyScript } from "../../conformance/reports/story-script.ts";
import { terminalReport } from "../../conformance/reports/terminal.ts";
import { exitCodeOf } from "../../conformance/runner/run-result.ts";
import type { Target } from "../../conformance/target/target.ts";
import { referenceFlag } from "./begin-reference.ts";
import { CannotRun } from "./cannot-run.ts";
import { exitWith } from "./exit-with.ts";
import { readResults } from "./read-results.ts";
import { readyFor } from "./ready-for.ts";
import { startReference } from "./reference-target.ts";
import { runWatched } from "./run-watched.ts";
import { targetFrom } from "./target-from.ts";
import {
  addTargetOptions,
  environmentHelp,
  optionsFromFlags,
  type TargetOptions,
  targetFlags,
} from "./target-options.ts";
import { usesColour } from "./uses-colour.ts";

/** Registers `replay`: runs the check of an earlier failure again, with the values that showed it. */
export function addReplay(program: Command): void {
  const command = program
    .command("replay")
    .description("run the check of a failure again, with the same values")
    .argument("<results>", "results.json of the run that found it")
    .argument("<rule>", "id of the rule, such as KEYC-15");
  addTargetOptions(command)
    .option("--script", "print what led to the failure as a script of curl commands, and run nothing")
    .addHelpText("after", `${environmentHelp}\n\nWithout --url and --target the target of that run is used.\n${help}`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action((results: string, rule: string, { script, ...options }: ReplayOptions, self: Command) =>
      exitWith(self, () => (script === true ? printScript(results, rule) : replay(results, rule, options))),
    );
}

interface ReplayOptions extends TargetOptions {
  readonly script?: boolean;
}

const help = `
Examples:
  npx bylaw replay report/results.json KEYC-15
  npx bylaw replay report/results.json KEYC-15 --script > story.sh

Exit codes: 0 no violation any more, or a script was printed; 1 a violation; 2 the replay itself failed.`;

/** Prints how a failure came about as a script. */
async function printScript(file: string, ruleId: string): Promise<0> {
  const results = await readResults(file);
  const { rule, failure } = failureOf(results, ruleId, file);
  if (failure.story.length === 0) {
    const fix = `Run its check again in its place: ${failure.replay}`;
    throw new CannotRun(`${rule.id}: ${file} has no steps of this failure.\n  ${fix}`);
  }
  process.stdout.write(storyScript(results.target.baseUrl, rule, failure));
  return 0;
}

async function replay(file: string, ruleId: string, options: TargetOptions): Promise<0 | 1 | 2> {
  const results = await readResults(file);
  const { rule, failure } = failureOf(results, ruleId, file);
  const isSame = options.url === undefined && options.target === undefined;
  const reference = isSame && results.target.flags.includes(referenceFlag) ? await startReference({}) : null;
  try {
    const before = isSame && reference === null ? optionsFromFlags(results.target.flags) : {};
    const target = reference?.target ?? (await targetFrom({ ...before, ...options }));
    const flags = isSame ? results.target.flags : targetFlags(options, target);
    return await replayAt(target, flags, results, rule, failure);
  } finally {
    await reference?.close();
  }
}

async function replayAt(
  target: Target,
  flags: readonly string[],
  results: Results,
  rule: ResultsRule,
  failure: ResultsFailure,
): Promise<0 | 1 | 2> {
  const isCheck = allChecks.some((check) => check.id === failure.check);
  const asked = {
    // What the monitor found is found again by all the checks of that run.
    ...{
      only: isCheck ? [failure.check] : [],
      skip: [],
      path: isCheck ? (failure.counterexample?.path ?? null) : null,
    },
    ...{ profile: results.profile, allow: new Set(leaveFor(failure.check)) },
    ...{ seed: results.seed, runs: results.runs, jobs: null, targetFlags: flags },
  };
  await readyFor(target, asked);
  const result = await runWatched(target, asked, false);
  const width = process.stdout.columns ?? 100;
  const colour = usesColour(process.stdout);
  const now = result.rules.find((r) => r.id === rule.id)?.verdict ?? "blocked";
  const again = now === failure.verdict ? "is there again" : `is gone: the verdict is now ${now.replace("_", " ")}`;
  process.stdout.write(terminalReport(result, { colour, width, reports: [], quiet: false }));
  process.stdout.write(`\nWhat ${failure.check} found of ${rule.id} ${again}.\n`);
  return exitCodeOf(result);
}

function failureOf(
  { rules }: Results,
  id: string,
  file: string,
): { readonly rule: ResultsRule; readonly failure: ResultsFailure } {
  const rule = rules.find((r) => r.id.toLowerCase() === id.toLowerCase());
  const failed = rules.filter((r) => r.failures.length > 0).map((r) => r.id);
  const others = failed.length === 0 ? "No rule failed in that run." : `Rules that failed in it: ${failed.join(", ")}.`;
  if (rule === undefined) {
    const near = didYouMean(
      id,
      rules.map((r) => r.id),
    );
    throw new CannotRun(`${id.slice(0, 80)}: That run did not set out to decide such a rule.${near}\n  ${others}`);
  }
  const failure = rule.failures.find((f) => f.verdict === rule.verdict) ?? rule.failures[0];
  if (failure !== undefined) return { rule, failure };
  throw new CannotRun(
    `${rule.id}: Its verdict in ${file} was ${rule.verdict}; there is nothing to replay.\n  ${others}`,
  );
}
