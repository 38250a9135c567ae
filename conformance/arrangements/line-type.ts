import { setLineType } from "../../generated/client/sandbox-lines.ts";
import { constants } from "../../generated/constants.ts";
import type { Line } from "../../generated/models/sandbox-lines.ts";
import { arrangement } from "./arrangement.ts";
import { member, noMembers } from "./hook-members.ts";

/** What a lookup of a number finds from now on. */
export const lineType = arrangement({
  need: "line-type",
  sandboxOperation: "setLineType",
  does: "have a number be another kind of line",
  async sandbox({ ask, path }, body: Line) {
    await ask("set a line type", (transport) => setLineType(transport, { path, body }));
  },
  hook: {
    definition: {
      name: "set_line_type",
      says: "Has lookups of a number find a certain kind of line from now on. Those that were made stay as they are.",
      unlocks: "recipients whose line is of another kind than before",
      input: {
        properties: {
          phone_number: { type: "string", description: "The number, E.164." },
          line_type: {
            type: "string",
            enum: [constants.mobileLine, constants.fixedLine, constants.voipLine, constants.voipFixedLine],
            description: "What a lookup is to answer.",
          },
          organization_id: member.organization,
        },
      },
      answer: noMembers,
    },
    async ask(ask, line) {
      await ask({ ...line });
    },
  },
});
