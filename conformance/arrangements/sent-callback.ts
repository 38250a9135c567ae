import { sendCallback } from "../../generated/client/sandbox-webhooks.ts";
import type { CallbackRequest } from "../../generated/models/sandbox-webhooks.ts";
import { arrangement } from "./arrangement.ts";
import { member, noMembers } from "./hook-members.ts";

/** Something signed with the organization's secret, sent to an address; done when it was answered. */
export const sentCallback = arrangement({
  need: "callback",
  sandboxOperation: "sendCallback",
  does: "have a callback sent",
  async sandbox({ ask, path }, body: CallbackRequest) {
    await ask("send a callback", (transport) => sendCallback(transport, { path, body }));
  },
  hook: {
    definition: {
      name: "send_callback",
      says: "Sends something signed with the organization's signing secret.",
      unlocks: "what the organization's signing secret signs, with `new_organization`",
      input: {
        properties: {
          url: { type: "string", description: "Where to send it." },
          organization_id: member.organization,
        },
      },
      answer: noMembers,
    },
    async ask(ask, { url }) {
      await ask({ url });
    },
  },
});
