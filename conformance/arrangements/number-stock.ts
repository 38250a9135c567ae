import { setNumberStock } from "../../generated/client/sandbox-phone-numbers.ts";
import type { NumberStock } from "../../generated/models/sandbox-phone-numbers.ts";
import { arrangement } from "./arrangement.ts";
import { member, noMembers } from "./hook-members.ts";

/** Which phone numbers an organization finds and can order from now on. */
export const numberStock = arrangement({
  need: "number-stock",
  sandboxOperation: "setNumberStock",
  does: "have an organization find certain phone numbers and no others",
  async sandbox({ ask, path }, body: NumberStock) {
    await ask("set the stock of numbers", (transport) => setNumberStock(transport, { path, body }));
  },
  hook: {
    definition: {
      name: "set_number_stock",
      says: "Has these phone numbers, and no others, be those that the organization finds and can order from now on.",
      unlocks: "orders of any numbers of an area that cannot be met in full",
      input: {
        properties: {
          phone_numbers: {
            type: "array",
            items: { type: "string", description: "One of them." },
            description: "The numbers, E.164. Nobody holds them.",
          },
          organization_id: member.organization,
        },
      },
      answer: noMembers,
    },
    async ask(ask, stock) {
      await ask({ ...stock });
    },
  },
});
