import type { DeliveryClaim } from "../domain/work/due-work.ts";
import { type AttemptParts, type MadeAttempt, makeAttempt } from "./make-attempt.ts";
import { SendingStopped } from "./send-attempt.ts";
import { type SettleParts, settleWhileHeld } from "./settle-while-held.ts";

export interface DeliverParts extends Omit<SettleParts, "world">, AttemptParts {
  /** Writes the line of a settled attempt. */
  readonly note: (made: MadeAttempt) => void;
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
    if (await settleWhileHeld({ claim, ...made }, leaseUntil, parts)) note(made);
    else log.warn(about, "an attempt is not recorded: the delivery is no more, or its lease went to another process");
  } catch (problem) {
    if (problem instanceof SendingStopped) log.warn(about, "a delivery was broken off; it is attempted again");
    else log.error({ ...about, err: problem }, "an attempt is not recorded; it is made again");
  }
}
