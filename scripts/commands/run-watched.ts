import { allChecks } from "../../conformance/checks/all-checks.ts";
import { type RunOptions, run } from "../../conformance/runner/run.ts";
import type { RunResult } from "../../conformance/runner/run-result.ts";
import type { Target } from "../../conformance/target/target.ts";
import { appendToJournal, journalFile, removeFromJournal, shortenJournal } from "./journal.ts";
import { newProgressLine } from "./progress-line.ts";

/** Exit code of a command that was told twice to stop. */
const stoppedAtOnce = 130;

/**
 * Runs the checks with progress on standard error; what they make is journalled for `bylaw clean` when it is made, and
 * struck when it is gone again. The first interruption ends the run with what there is, a second one ends the process.
 */
export async function runWatched(
  target: Target,
  options: Omit<RunOptions, "signal" | "progress">,
  quiet: boolean,
): Promise<RunResult> {
  const stop = new AbortController();
  const line = quiet ? null : newProgressLine(process.stderr);
  const interrupt = (): void => {
    if (stop.signal.aborted) process.exit(stoppedAtOnce);
    line?.end();
    process.stderr.write("Ending the run with what there is; once more ends it at once.\n");
    stop.abort();
  };
  let isTold = false;
  /** What was found is worth more than the journal: a run goes on without it. */
  const journal = (write: () => void): void => {
    try {
      write();
    } catch (problem) {
      if (isTold) return;
      isTold = true;
      line?.end();
      const why = problem instanceof Error ? problem.message : String(problem);
      process.stderr.write(
        `${journalFile} cannot be written, so bylaw clean will not know what this run makes: ${why}\n`,
      );
    }
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  try {
    return await run(target, allChecks, {
      ...options,
      signal: stop.signal,
      left: (thing) =>
        journal(() =>
          appendToJournal(journalFile, { time: new Date().toISOString(), baseUrl: target.baseUrl, ...thing }),
        ),
      gone: (thing) => journal(() => removeFromJournal(journalFile, [{ baseUrl: target.baseUrl, ...thing }])),
      progress: (progress) => line?.update(progress),
    });
  } finally {
    line?.end();
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
    journal(() => shortenJournal(journalFile));
  }
}
