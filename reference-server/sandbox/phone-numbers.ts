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
});
