import { refuse } from "../../generated/error-rows.ts";
import type { MessageStage } from "../../generated/models/sandbox-messages.ts";
import type { SandboxMessagesHandlers } from "../../generated/server/sandbox-messages.ts";
import { isUnclaimed, type Message, type MessageStatus } from "../domain/messages/message.ts";
import type { Store } from "../store/store.ts";
import type { SandboxCaller } from "./sandbox-path.ts";
import { unknownOrganization } from "./unknown-organization.ts";

const statusAt: Readonly<Record<MessageStage, MessageStatus>> = { claimed: "sending", terminal: "delivered" };

export function sandboxMessagesHandlers({ store }: { readonly store: Store }): SandboxMessagesHandlers<SandboxCaller> {
  return {
    async moveMessage({ path, body }) {
      return store.atomically(path.id, async (tx) => {
        if (tx.organization === null) return unknownOrganization();
        const message = await tx.messages.find(path.message_id);
        if (message === null) return refuse.SandboxNotFound("The organization has no such message.");
        if (!leadsTo(message, body.to))
          return refuse.IllegalTransition(`No move leads from ${message.status} to ${body.to}.`);
        await tx.messages.withdraw(message.id, "anybody");
        const status = statusAt[body.to];
        await tx.messages.update({ id: message.id, status });
        return { id: message.id, status };
      });
    },
  };
}

function leadsTo(message: Message, stage: MessageStage): boolean {
  switch (stage) {
    case "claimed":
      return isUnclaimed(message);
    case "terminal":
      return isUnclaimed(message) || message.status === "sending" || message.status === "sent";
  }
}
