import { refuse } from "../../generated/error-rows.ts";
import type { MessageStage } from "../../generated/models/sandbox-messages.ts";
import type { SandboxMessagesHandlers } from "../../generated/server/sandbox-messages.ts";
import type { MessageStatus } from "../domain/messages/message.ts";
import type { Store } from "../store/store.ts";
import type { SandboxCaller } from "./sandbox-path.ts";
import { unknownOrganization } from "./unknown-organization.ts";

const statusAt: Readonly<Record<MessageStage, MessageStatus>> = {
  claimed: "sending",
  terminal: "delivered",
  failed: "failed",
};

/** Which messages can be put there: those that nobody has claimed yet, or all that are on their way. */
const from = { claimed: "unclaimed", terminal: "anybody", failed: "anybody" } as const satisfies Record<
  MessageStage,
  string
>;

export function sandboxMessagesHandlers({ store }: { readonly store: Store }): SandboxMessagesHandlers<SandboxCaller> {
  return {
    async moveMessage({ path, body }) {
      return store.atomically(path.id, async (tx) => {
        if (tx.organization === null) return unknownOrganization();
        // Its work first: nobody else moves a message on whose work is taken away.
        const isStopped = await tx.messages.withdraw(path.message_id, from[body.to]);
        const message = await tx.messages.find(path.message_id);
        if (message === null) return refuse.SandboxNotFound("The organization has no such message.");
        // One that was put to `claimed` has no work left.
        if (!isStopped && !(body.to !== "claimed" && message.status === statusAt.claimed))
          return refuse.IllegalTransition(`No move leads from ${message.status} to ${body.to}.`);
        const status = statusAt[body.to];
        await tx.messages.update({ id: message.id, status });
        return { id: message.id, status };
      });
    },
  };
}
