import type { Command } from "commander";
import { CannotRun } from "./cannot-run.ts";

/** Runs a command's work and sets its exit code; what keeps it from working is said without a stack trace, with code 2. */
export async function exitWith(command: Command, work: () => Promise<0 | 1 | 2>): Promise<void> {
  // Stays for good: the error of a write comes after the work is done.
  if (!process.stdout.listeners("error").includes(endQuietlyWithoutReader)) {
    process.stdout.on("error", endQuietlyWithoutReader);
  }
  try {
    process.exitCode = await work();
  } catch (problem) {
    // The usage was right; what is wrong is said whole.
    command.showHelpAfterError(false);
    if (problem instanceof CannotRun) command.error(`error: ${problem.message}`, { exitCode: 2 });
    const message = problem instanceof Error ? problem.message : String(problem);
    const trace = process.env.BYLAW_DEBUG && problem instanceof Error ? `\n${problem.stack}` : "";
    const hint = "  This is a fault of bylaw itself; BYLAW_DEBUG=1 shows where it happened.";
    command.error(`error: ${message}\n${hint}${trace}`, { exitCode: 2 });
  }
}

/** A reader such as `head` may go away early; that is no fault. */
function endQuietlyWithoutReader(problem: NodeJS.ErrnoException): void {
  if (problem.code === "EPIPE") process.exit(process.exitCode ?? 0);
  throw problem;
}
