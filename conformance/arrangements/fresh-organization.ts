import { member, noMembers } from "./hook-members.ts";
import { type HookDefinition, hookOf, offersNo, requirement } from "./requirement.ts";

export const newOrganization: HookDefinition = {
  name: "new_organization",
  says: "Creates an organization and a key of it.",
  unlocks: "a new organization for each check, a second one, limits that are full",
  input: {
    properties: {
      clock: member.clock,
      settings: {
        type: "object",
        description:
          "What else it is to be like, by those names that stand among the hook's `settings` in the target file.",
      },
    },
  },
  answer: {
    properties: {
      id: { type: "string", minLength: 1, description: "Id of the organization." },
      key: { type: "string", description: "An API key of it, with as many scopes as there are." },
      scopes: {
        type: "array",
        items: { type: "string", description: "A scope." },
        description:
          "What the key was granted, by the names that are yours; left out, those that the API document names.",
      },
      clock: member.clock,
    },
    optional: ["scopes", "clock"],
  },
  secret: "key",
};

export const deleteOrganization: HookDefinition = {
  name: "delete_organization",
  says: "Deletes an organization that new_organization created.",
  unlocks: "giving organizations of `new_organization` back, and `bylaw clean`",
  input: { properties: { organization_id: { type: "string", description: "The organization." } } },
  answer: noMembers,
};

/** An organization used for nothing else, with full buckets. */
export const freshOrganization = requirement({
  need: "fresh-organization",
  lacking: offersNo("fresh organization"),
  hooks: [newOrganization, deleteOrganization],
  isMet: (target) => target.sandbox !== null || hookOf(target, newOrganization) !== null,
});
