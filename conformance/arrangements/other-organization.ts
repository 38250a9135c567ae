import { newOrganization } from "./fresh-organization.ts";
import { hookOf, offersNo, requirement } from "./requirement.ts";

/** A second organization. */
export const otherOrganization = requirement({
  need: "other-organization",
  lacking: offersNo("other organization"),
  isMet: (target) => target.sandbox !== null || target.otherKey !== null || hookOf(target, newOrganization) !== null,
});
