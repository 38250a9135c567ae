import { newOrganization } from "./fresh-organization.ts";
import { hookOf, offersNo, requirement } from "./requirement.ts";

/** Any organization with a key that may create keys. */
export const key = requirement({
  need: "key",
  lacking: offersNo("key"),
  isMet: (target) => target.sandbox !== null || target.key !== null || hookOf(target, newOrganization) !== null,
});
