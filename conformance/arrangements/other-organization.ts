import { newOrganization } from "./fresh-organization.ts";
import { hookOf, offersNo, requirement, type SecretDefinition, secretOf } from "./requirement.ts";

export const otherKey: SecretDefinition = {
  setting: "other_key",
  variable: "BYLAW_OTHER_API_KEY",
  what: "a second organization's key",
  says: "API key of a second organization.",
  isOfGivenOrganization: false,
  ifRefused: "Give the kit a key of another organization of this target, or leave it out.",
};

/** A second organization. */
export const otherOrganization = requirement({
  need: "other-organization",
  secret: otherKey,
  lacking: offersNo("other organization"),
  isMet: (target) =>
    target.sandbox !== null || secretOf(target, otherKey) !== null || hookOf(target, newOrganization) !== null,
});
