import type { SandboxLinesHandlers } from "../../generated/server/sandbox-lines.ts";
import type { Store } from "../store/store.ts";
import type { SandboxCaller } from "./sandbox-path.ts";
import { unknownOrganization } from "./unknown-organization.ts";

export const sandboxLinesHandlers = ({ store }: { readonly store: Store }): SandboxLinesHandlers<SandboxCaller> => ({
  async setLineType({ path, body }) {
    return store.atomically(path.id, async (tx) => {
      if (tx.organization === null) return unknownOrganization();
      const { phone_number: phoneNumber, line_type: lineType } = body;
      await tx.lines.put(phoneNumber, lineType);
      return { phone_number: phoneNumber, line_type: lineType };
    });
  },
});
