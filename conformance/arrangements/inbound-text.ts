import { receiveText } from "../../generated/client/sandbox-inbound.ts";
import type { InboundText } from "../../generated/models/sandbox-inbound.ts";
import { arrangement } from "./arrangement.ts";
import { member, noMembers } from "./hook-members.ts";

/** A text that a recipient sends to the organization. */
export const inboundText = arrangement({
  need: "inbound-text",
  sandboxOperation: "receiveText",
  does: "have a recipient reply",
  async sandbox({ ask, path }, body: InboundText) {
    await ask("receive a text", (transport) => receiveText(transport, { path, body }));
  },
  hook: {
    definition: {
      name: "receive_text",
      says: "Has the organization receive a text from a recipient.",
      unlocks: "recipients who opt out",
      input: {
        properties: {
          from: { type: "string", description: "The recipient's number, E.164." },
          text: { type: "string", description: "What the recipient writes, such as STOP." },
          organization_id: member.organization,
        },
      },
      answer: noMembers,
    },
    async ask(ask, text) {
      await ask({ ...text });
    },
  },
});
