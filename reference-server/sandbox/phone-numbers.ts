import { constants } from "../../generated/constants.ts";
import { refuse } from "../../generated/error-rows.ts";
import type { SandboxPhoneNumbersHandlers } from "../../generated/server/sandbox-phone-numbers.ts";
import type { Store } from "../store/store.ts";
import type { SandboxCaller } from "./sandbox-path.ts";
import { unknownOrganization } from "./unknown-organization.ts";

export const sandboxPhoneNumbersHandlers = ({
  store,
}: {
  readonly store: Store;
}): SandboxPhoneNumbersHandlers<SandboxCaller> => ({
  async setNumberStock({ path, body }) {
    return store.atomically(path.id, async (tx) => {
      if (tx.organization === null) return unknownOrganization();
      await tx.phoneNumbers.putStock(body.phone_numbers);
      return body;
    });
  },

  async setNumberAssignment({ path, body }) {
    return store.atomically(path.id, async (tx) => {
      if (tx.organization === null) return unknownOrganization();
      const number = await tx.phoneNumbers.find(path.number_id);
      if (number === null) return refuse.SandboxNotFound("The organization has no such phone number.");
      const status = body.assigned ? constants.assignedNumber : "pending";
      await tx.phoneNumbers.update({ ...number, status });
      return { id: number.id, status };
    });
  },
});
