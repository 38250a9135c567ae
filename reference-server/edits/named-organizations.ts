import type { Change, Contrarian } from "./edit.ts";

/** The target file of a server whose organizations have a name. */
export const shapesOfNamed: NonNullable<Contrarian["shapes"]> = {
  updateOrganization: { request: {}, extra: { name: ["Acme", "Acme Two"] }, response: {} },
};

const file = "routes/organization-settings.ts";
const storeName = `if (typeof Object(others).name === "string")
          await tx.profiles.put({
            organizationId: organization.id,
            id: organization.id,
            name: Object(others).name,
            timezone: "Etc/UTC",
          });`;

/** Stores the name that an update has, unless the update is refused. */
export const namedOrganizations: readonly Change[] = [
  { file, find: "{ is_reseller: wanted }", replace: "{ is_reseller: wanted, ...others }" },
  {
    file,
    find: "if (wanted === undefined) return wireOrganization(organization);",
    replace: `if (wanted === undefined) {
          ${storeName}
          return wireOrganization(organization);
        }`,
  },
  {
    file,
    find: "if (wanted !== organization.isReseller) await tx.setReseller(wanted);",
    replace: `if (wanted !== organization.isReseller) await tx.setReseller(wanted);
        ${storeName}`,
  },
];
