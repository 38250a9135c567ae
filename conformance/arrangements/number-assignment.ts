import { setNumberAssignment } from "../../generated/client/sandbox-phone-numbers.ts";
import { constants } from "../../generated/constants.ts";
import type { NumberAssignment } from "../../generated/models/sandbox-phone-numbers.ts";
import { arrangement } from "./arrangement.ts";
import { member, noMembers } from "./hook-members.ts";

/** A phone number, and whether it is to be assigned. */
export interface AssignedNumber extends NumberAssignment {
  readonly phone_number_id: string;
}

/** A phone number that is assigned to its organization, or not, and stays so. */
export const numberAssignment = arrangement({
  need: "number-assignment",
  sandboxOperation: "setNumberAssignment",
  does: "have a phone number be assigned no longer",
  async sandbox({ ask, path }, { phone_number_id, ...body }: AssignedNumber) {
    const at = { ...path, number_id: phone_number_id };
    await ask("assign a number, or no longer", (transport) => setNumberAssignment(transport, { path: at, body }));
  },
  hook: {
    definition: {
      name: "set_number_assignment",
      says: "Puts a phone number that the organization holds into another state of its life, or back, and leaves it there.",
      unlocks: "campaigns of numbers that are not assigned",
      input: {
        properties: {
          phone_number_id: { type: "string", description: "The number's id." },
          assigned: {
            type: "boolean",
            description: `Whether its state is to be \`${constants.assignedNumber}\`; else any other in which the organization still finds it.`,
          },
          organization_id: member.organization,
        },
      },
      answer: noMembers,
    },
    async ask(ask, assigned) {
      await ask({ ...assigned });
    },
  },
});
