import { requirement } from "./requirement.ts";

/** An address of the kit's own to which the target can deliver. No sandbox stands in for it. */
export const receiver = requirement({
  need: "receiver",
  lacking: "the kit has no receiver to which the target could deliver",
  isMet: (target) => target.receiver !== null,
});
