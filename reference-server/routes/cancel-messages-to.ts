import type { Choices } from "../../generated/choices.ts";
import { messageEntry } from "../domain/messages/message.ts";
import type { UnitOfWork } from "../store/unit-of-work.ts";

/**
 * Cancels what a recipient is still to get who wants nothing more, and gives back what it cost (open question Q210). What
 * is claimed for sending is on its way.
 */
export async function cancelMessagesTo(
  phoneNumber: string,
  tx: UnitOfWork,
  { now, choices }: { readonly now: number; readonly choices: Pick<Choices, "messagesAtOptOut"> },
): Promise<void> {
  if (choices.messagesAtOptOut === "sent") return;
  for (const message of await tx.messages.cancelTo(phoneNumber))
    await tx.ledger.append(messageEntry("refund", message, now));
}
