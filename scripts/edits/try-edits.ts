import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Shapes } from "../../conformance/target/shapes.ts";
import type { EditOutcome } from "./run-edit.ts";

/** One run of the kit against an edited server. */
export interface Trial {
  /** Edits in force at once. */
  readonly edits: readonly string[];
  /** Options of the server that differ from the reference's. */
  readonly choices: Readonly<Record<string, string>>;
  /** What the target file says of shapes. */
  readonly shapes: Shapes;
  /** What to run: rules or checks; empty for all. */
  readonly only: readonly string[];
  readonly seed: number;
}

export type TrialOutcome =
  | ({ readonly kind: "ran" } & EditOutcome)
  /** The process did not tell a result. */
  | { readonly kind: "broken"; readonly message: string };

/** Milliseconds after which a trial is ended: an edited server may hang. */
const patience = 120_000;

/** Runs one trial in a process of its own. */
export function tryEdits(trial: Trial): Promise<TrialOutcome> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "run-edit.ts")], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), patience);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.end(JSON.stringify(trial));
  return new Promise((resolve) => {
    child.on("close", (status) => {
      clearTimeout(timer);
      try {
        resolve({ kind: "ran", ...(JSON.parse(stdout) as EditOutcome) });
      } catch {
        const last = stderr
          .trim()
          .split("\n")
          .find((line) => /Error|StaleEdit/.test(line));
        resolve({ kind: "broken", message: last ?? `the process ended with ${status ?? "a signal"} and told nothing` });
      }
    });
  });
}

/** Runs trials, as many at a time as said, and tells each outcome as it comes. */
export async function tryAll<T>(
  items: readonly T[],
  jobs: number,
  trialOf: (item: T) => Trial,
  done: (item: T, outcome: TrialOutcome) => void,
): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) done(item, await tryEdits(trialOf(item)));
  };
  await Promise.all(Array.from({ length: jobs }, worker));
}
