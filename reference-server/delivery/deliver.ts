import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { DeliveryClaim, Settlement } from "../domain/work/due-work.ts";
import { backOff } from "./back-off.ts";
import { type AttemptParts, type MadeAttempt, makeAttempt } from "./make-attempt.ts";
import { SendingStopped } from "./send-attempt.ts";

export interface DeliverParts extends AttemptParts {
  /** Whether it was written; rejects when the queue fails. */
  readonly settle: (settlement: Settlement) => Promise<boolean>;
  readonly log: Logger;
  /** Writes the line of a settled attempt. */
  readonly note: (made: MadeAttempt) => void;
  /** Tells that nothing is tried again. */
  readonly stopping: AbortSignal;
}

/**
 * Attempts a claimed delivery and settles it. Never rejects: whatever goes wrong leaves the delivery to its lease, and
 * when that has run out it is attempted again.
 */
export async function deliver(claim: DeliveryClaim, leaseUntil: number, parts: DeliverParts): Promise<void> {
  const { log, note } = parts;
  const about = { delivery_id: claim.delivery.id, event_id: claim.delivery.event.id };
  try {
    const made = await makeAttempt(claim, parts);
    if (await settle({ claim, ...made }, leaseUntil, parts)) note(made);
    else log.warn(about, "an attempt is not recorded: the delivery is no more, or its lease went to another process");
  } catch (problem) {
    if (problem instanceof SendingStopped) log.warn(about, "a delivery was broken off; it is attempted again");
    else log.error({ ...about, err: problem }, "an attempt is not recorded; it is made again");
  }
}

/** Tries for as long as nobody else may take the delivery. */
async function settle(settlement: Settlement, leaseUntil: number, parts: DeliverParts): Promise<boolean> {
  const { world, stopping } = parts;
  for (let failures = 1; ; failures++) {
    try {
      return await parts.settle(settlement);
    } catch (problem) {
      const wait = backOff(failures);
      if (stopping.aborted || world.now() + wait >= leaseUntil) throw problem;
      await pause(wait, undefined, { signal: stopping });
    }
  }
}
