import { getOrganizationState } from "../../generated/client/sandbox-organizations.ts";
import type { OrganizationState } from "../../generated/models/sandbox-organizations.ts";
import { arrangement } from "./arrangement.ts";

/** Balance, spend and a digest of all that an organization has. */
export const organizationState = arrangement({
  need: "state",
  does: "read an organization's state",
  sandbox: ({ ask, path }, _: object): Promise<OrganizationState> =>
    ask("read the organization's state", (transport) => getOrganizationState(transport, { path })),
});
