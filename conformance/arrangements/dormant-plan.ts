import { offersNo, requirement } from "./requirement.ts";

/** An organization with a legacy plan that nobody can take any more. */
export const dormantPlan = requirement({
  need: "dormant-plan",
  lacking: offersNo("organization with a dormant legacy plan"),
  setting: { name: "dormant_plan", does: "give an organization a dormant legacy plan" },
  isMet: ({ sandbox }) => sandbox !== null,
});
