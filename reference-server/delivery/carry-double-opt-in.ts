import type { Carrier } from "../domain/carrier/carrier.ts";
import { timeOf } from "../domain/clock.ts";
import { confirmationText, type DoubleOptIn, isOpen } from "../domain/consent/double-opt-in.ts";
import type { DoubleOptInClaim, DoubleOptInSettlement } from "../domain/work/due-work.ts";
import { type SettleParts, settleWhileHeld } from "./settle-while-held.ts";

/** Ends a double opt-in at this time of its organization. */
export type ExpireDoubleOptIn = (doubleOptIn: DoubleOptIn, now: number) => Promise<void>;

export interface CarryDoubleOptInParts extends SettleParts {
  readonly carrier: Carrier;
  readonly expire: ExpireDoubleOptIn;
}

/**
 * Takes a claimed double opt-in one step on: its recipient is asked, or it expires. Never rejects: whatever goes wrong
 * leaves it to its lease, and when that has run out the step is taken again.
 */
export async function carryDoubleOptIn(
  claim: DoubleOptInClaim,
  leaseUntil: number,
  parts: CarryDoubleOptInParts,
): Promise<void> {
  const about = { double_opt_in_id: claim.doubleOptIn.id };
  try {
    const settlement = await takeStep(claim, parts);
    if (await settleWhileHeld(settlement, leaseUntil, parts))
      parts.log.info({ ...about, expired: settlement.nextDueAt === null }, "a double opt-in has moved on");
    else parts.log.info(about, "a double opt-in was answered meanwhile, or its lease went to another process");
  } catch (problem) {
    parts.log.error({ ...about, err: problem }, "a double opt-in has not moved on; it is tried again");
  }
}

async function takeStep(
  claim: DoubleOptInClaim,
  { carrier, expire, world }: CarryDoubleOptInParts,
): Promise<DoubleOptInSettlement> {
  const { doubleOptIn, isAsked, clock } = claim;
  const now = timeOf(clock, world.now());
  if (!isOpen(doubleOptIn, now)) {
    await expire(doubleOptIn, now);
    return { claim, nextDueAt: null };
  }
  // Whom the carrier cannot reach will not answer, and it expires like any other.
  if (!isAsked) await carrier.handOver(confirmationText(doubleOptIn));
  return { claim, nextDueAt: doubleOptIn.expiresAt };
}
