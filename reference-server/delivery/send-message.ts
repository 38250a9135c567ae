import type { Carrier } from "../domain/carrier/carrier.ts";
import { timeOf } from "../domain/clock.ts";
import type { SendClaim, SendSettlement } from "../domain/work/due-work.ts";
import { type SettleParts, settleWhileHeld } from "./settle-while-held.ts";

export interface SendMessageParts extends SettleParts {
  readonly carrier: Carrier;
}

/**
 * Takes a claimed message one step on: to the carrier, or to what the carrier reports of it. Never rejects: whatever goes
 * wrong leaves the message to its lease, and when that has run out the step is taken again.
 */
export async function sendMessage(claim: SendClaim, leaseUntil: number, parts: SendMessageParts): Promise<void> {
  const about = { message_id: claim.message.id };
  try {
    const settlement = await takeStep(claim, parts);
    if (await settleWhileHeld(settlement, leaseUntil, parts))
      parts.log.info({ ...about, status: settlement.status }, "a message has moved on");
    else parts.log.warn(about, "a message is no more, or its lease went to another process");
  } catch (problem) {
    parts.log.error({ ...about, err: problem }, "a message has not moved on; it is tried again");
  }
}

async function takeStep(claim: SendClaim, { carrier, world }: SendMessageParts): Promise<SendSettlement> {
  const { message, clock } = claim;
  if (message.status === "sent") return { claim, status: await carrier.report(message), nextDueAt: null };
  const answer = await carrier.handOver(message);
  switch (answer.kind) {
    case "taken":
      return { claim, status: "sent", nextDueAt: timeOf(clock, world.now()) + answer.reportAfter };
    case "refused":
      return { claim, status: "failed", nextDueAt: null };
  }
}
