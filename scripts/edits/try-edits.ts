import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { withCompileCache } from "../compile-cache.ts";
import type { Trial, TrialOutcome } from "./trial.ts";
import type { TrialReport } from "./trial-worker.ts";

/** Milliseconds after which a trial is given up: an edited server may hang. */
const patience = 1_800_000;

/** Trials of one process. Each leaves modules behind that nothing frees. */
const trialsPerWorker = 150;

/** Processes that keep the machine busy with trials of many checks, which compute, and wait for what takes its time. */
export const forLongTrials = 2 * availableParallelism();

/** As above, beside those, with trials that wait most of their time for what a broken server never does. */
export const forShortTrials = 3 * availableParallelism();

/** A trial that was run, and the milliseconds of processor time that it took. */
export interface Tried {
  readonly outcome: TrialOutcome;
  readonly processorMs: number;
}

/** What is to be tried next, if anything; a promise where that is not known yet. */
export type Next<T> = T | undefined | Promise<T | undefined>;

/**
 * Runs the trials that `next` gives, as long as it gives any, in so many processes, each of which runs one after another,
 * and tells each outcome as it comes. A trial whose process dies or hangs is broken; the next one gets a new process.
 */
export async function tryAll<T>(
  next: () => Next<T>,
  processes: number,
  trialOf: (item: T) => Trial,
  done: (item: T, tried: Tried) => void,
): Promise<void> {
  const work = async (): Promise<void> => {
    let worker: Worker | null = null;
    for (let item = await next(); item !== undefined; item = await next()) {
      if (worker?.isSpent) {
        worker.end();
        worker = null;
      }
      worker ??= new Worker();
      done(item, await worker.run(trialOf(item)));
    }
    worker?.end();
  };
  await Promise.all(Array.from({ length: processes }, work));
}

/** Runs one trial in a process of its own. */
export async function tryEdits(trial: Trial): Promise<TrialOutcome> {
  const worker = new Worker();
  const { outcome } = await worker.run(trial);
  worker.end();
  return outcome;
}

class Worker {
  readonly #child: ChildProcess;
  #stderr = "";
  #trials = 0;
  #processorMs = 0;
  #isDead = false;

  constructor() {
    this.#child = fork(join(import.meta.dirname, "trial-worker.ts"), {
      execArgv: [],
      env: withCompileCache,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    // What lies far back is of no use.
    this.#child.stderr?.on("data", (chunk) => (this.#stderr = (this.#stderr + String(chunk)).slice(-8_192)));
    this.#child.on("error", () => undefined);
    this.#child.once("close", () => (this.#isDead = true));
  }

  get isSpent(): boolean {
    return this.#isDead || this.#trials >= trialsPerWorker;
  }

  run(trial: Trial): Promise<Tried> {
    this.#trials++;
    return new Promise((resolve) => {
      const settle = (tried: Tried): void => {
        clearTimeout(late);
        this.#child.removeAllListeners("message").removeListener("close", died);
        resolve(tried);
      };
      const broken = (message: string): void => settle({ outcome: { kind: "broken", message }, processorMs: 0 });
      const died = (status: number | null, signal: string | null): void => {
        const error = this.#stderr.split("\n").find((line) => /Error/.test(line));
        broken(`the process ended with ${status ?? signal}${error === undefined ? "" : `: ${error}`}`);
      };
      const late = setTimeout(() => {
        this.#isDead = true;
        this.#child.kill("SIGKILL");
        broken(`no result came within ${patience / 1000} s`);
      }, patience);
      this.#child.once("message", ({ outcome, processorMs }: TrialReport) => {
        const before = this.#processorMs;
        this.#processorMs = processorMs;
        settle({ outcome, processorMs: processorMs - before });
      });
      this.#child.once("close", died);
      if (this.#child.connected) this.#child.send(trial);
      else died(this.#child.exitCode, this.#child.signalCode);
    });
  }

  end(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}
