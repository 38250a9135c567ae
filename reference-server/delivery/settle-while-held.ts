import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Settlement } from "../domain/work/due-work.ts";
import type { World } from "../domain/world.ts";
import { backOff } from "./back-off.ts";

export interface SettleParts {
  /** Whether it was written; rejects when the queue fails. */
  readonly settle: (settlement: Settlement) => Promise<boolean>;
  readonly world: Pick<World, "now">;
  readonly log: Logger;
  /** Tells that nothing is tried again. */
  readonly stopping: AbortSignal;
}

/** Tries for as long as nobody else may take the work. Whether it was written. */
export async function settleWhileHeld(
  settlement: Settlement,
  leaseUntil: number,
  { settle, world, stopping }: SettleParts,
): Promise<boolean> {
  for (let failures = 1; ; failures++) {
    try {
      return await settle(settlement);
    } catch (problem) {
      const wait = backOff(failures);
      if (stopping.aborted || world.now() + wait >= leaseUntil) throw problem;
      await pause(wait, undefined, { signal: stopping });
    }
  }
}
