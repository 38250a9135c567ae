import { runTrial } from "./run-trial.ts";
import type { Trial, TrialOutcome } from "./trial.ts";

/** What the process answers each trial with. */
export interface TrialReport {
  readonly outcome: TrialOutcome;
  /** Milliseconds of processor time that the process has taken since it began. */
  readonly processorMs: number;
}

/** A process of its own, which is sent one trial after another and answers each. */
let strays: string[] = [];
process.on("unhandledRejection", (problem) => strays.push(`a rejection that nobody handles: ${messageOf(problem)}`));
process.on("uncaughtException", (problem) => strays.push(`an exception that nobody catches: ${messageOf(problem)}`));
process.on("disconnect", () => process.exit());
process.on("message", async (trial: Trial) => {
  const outcome = await runTrial(trial).catch(
    (problem: unknown): TrialOutcome => ({ kind: "broken", message: messageOf(problem) }),
  );
  const told =
    outcome.kind === "ran" && strays.length > 0 ? { ...outcome, failures: [...outcome.failures, ...strays] } : outcome;
  strays = [];
  const { user, system } = process.cpuUsage();
  const report: TrialReport = { outcome: told, processorMs: (user + system) / 1000 };
  process.send?.(report);
});

const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));
