import { moveMessage } from "../../generated/client/sandbox-messages.ts";
import type { MessageMove } from "../../generated/models/sandbox-messages.ts";
import { arrangement } from "./arrangement.ts";
import { member, noMembers } from "./hook-members.ts";

/** A message, and where in its life it is to be. */
export interface MovedMessage extends MessageMove {
  readonly message_id: string;
}

/** A message that is claimed for sending or at its end, and stays so. */
export const movedMessage = arrangement({
  need: "message-move",
  sandboxOperation: "moveMessage",
  does: "move a message on in its life",
  async sandbox({ ask, path }, { message_id, ...body }: MovedMessage) {
    const at = { ...path, message_id };
    await ask("move a message on", (transport) => moveMessage(transport, { path: at, body }));
  },
  hook: {
    definition: {
      name: "move_message",
      says: "Moves a message on to where nobody can cancel it, and leaves it there.",
      unlocks: "cancellations of messages that are claimed for sending or at their end",
      input: {
        properties: {
          message_id: { type: "string", description: "The message, which is not claimed yet." },
          to: {
            type: "string",
            enum: ["claimed", "terminal", "failed"],
            description:
              "claimed: it is claimed for sending and no further; terminal: it has reached its end; failed: it has reached its end, but not its recipient.",
          },
          organization_id: member.organization,
        },
      },
      answer: noMembers,
    },
    async ask(ask, moved) {
      await ask({ ...moved });
    },
  },
});
