import { timeOf } from "../domain/clock.ts";
import type { RegistrationClaim } from "../domain/work/due-work.ts";
import { type SettleParts, settleWhileHeld } from "./settle-while-held.ts";

/** Ends the verification of a brand, or the review of a campaign, at this time of its organization. */
export type ConcludeRegistration = (subject: RegistrationClaim["subject"], now: number) => Promise<void>;

export interface ConcludeRegistrationParts extends SettleParts {
  readonly conclude: ConcludeRegistration;
}

/**
 * Ends what was claimed. Never rejects: whatever goes wrong leaves it to its lease, and when that has run out it is
 * tried again.
 */
export async function concludeRegistration(
  claim: RegistrationClaim,
  leaseUntil: number,
  { conclude, ...parts }: ConcludeRegistrationParts,
): Promise<void> {
  const about = { [`${claim.subject.kind}_id`]: claim.id };
  try {
    await conclude(claim.subject, timeOf(claim.clock, parts.world.now()));
    if (await settleWhileHeld({ claim, nextDueAt: null }, leaseUntil, parts))
      parts.log.info(about, "a registration has come to its end");
    else parts.log.info(about, "a registration's lease went to another process");
  } catch (problem) {
    parts.log.error({ ...about, err: problem }, "a registration has not come to its end; it is tried again");
  }
}
