import { setOutage } from "../../generated/client/sandbox-organizations.ts";
import type { OutageRequest } from "../../generated/models/sandbox-organizations.ts";
import { arrangement } from "./arrangement.ts";
import { member, noMembers } from "./hook-members.ts";

/** Calls of the organization that fail on purpose. */
export const outage = arrangement({
  need: "outage",
  sandboxOperation: "setOutage",
  does: "make calls fail",
  async sandbox({ ask, path }, body: OutageRequest) {
    await ask("set an outage", (transport) => setOutage(transport, { path, body }));
  },
  hook: {
    definition: {
      name: "set_outage",
      says: "Has an organization's next calls, its next lookups or its next billing portals fail on the platform's side.",
      unlocks: "what failing calls, lookups and portals are answered, and that they are not charged",
      input: {
        properties: {
          kind: {
            type: "string",
            enum: ["unhandled_error", "lookup", "billing_portal"],
            description:
              "unhandled_error: a call fails in a way the server does not expect; lookup: one is not completed; billing_portal: one cannot be opened.",
          },
          calls: {
            type: "integer",
            minimum: 0,
            description: "How many fail, in place of what was set for the kind before; zero ends it.",
          },
          organization_id: member.organization,
        },
      },
      answer: noMembers,
    },
    async ask(ask, failing) {
      await ask({ ...failing });
    },
  },
});
