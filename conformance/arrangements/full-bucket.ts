import { newOrganization } from "./fresh-organization.ts";
import { advance } from "./manual-clock.ts";
import { hookOf, offersNo, requirement } from "./requirement.ts";

/** The least seconds of waiting that are worth the name: in that time the usual bucket fills. */
export const leastWait = 60;

/** A bucket that is full: a fresh organization, or leave to wait until one has refilled. */
export const fullBucket = requirement({
  need: "full-bucket",
  lacking: offersNo("full bucket"),
  isMet: (target) =>
    target.sandbox !== null ||
    hookOf(target, newOrganization) !== null ||
    (target.key !== null && (target.timing.maxWait >= leastWait || hookOf(target, advance) !== null)),
});
