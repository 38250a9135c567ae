import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Choices } from "../generated/choices.ts";
import { retainedAt } from "./domain/events/retention.ts";
import type { World } from "./domain/world.ts";
import type { Store } from "./store/store.ts";

/** Milliseconds between two looks for what is no longer kept. Nobody waits for it: what is expired counts as gone. */
const usualInterval = 600_000;

/** Records that are deleted at once, so that nobody waits long behind them. */
const batch = 500;

export interface PrunerParts {
  readonly store: Pick<Store, "retention">;
  readonly world: Pick<World, "now">;
  readonly choices: Choices;
  readonly log: Logger;
}

export interface Pruner {
  start(): void;
  /** Ends after the records that are being deleted. */
  close(): Promise<void>;
}

/** Deletes, every now and then, what organizations with a real clock no longer keep. */
export function createPruner({ store, world, choices, log }: PrunerParts, interval = usualInterval): Pruner {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await prune().catch((problem: unknown) => log.error({ err: problem }, "old records could not be deleted"));
      await pause(interval, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async function prune(): Promise<void> {
    const retained = retainedAt(world.now(), choices);
    while (!signal.aborted && (await store.retention.prune(retained, batch)) >= batch);
  }

  return {
    start() {
      running = run();
    },
    async close() {
      stopping.abort();
      await running;
    },
  };
}
