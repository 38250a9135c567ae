import { organizationSetting } from "./organization-setting.ts";

/** An organization with a legacy plan that nobody can take any more. */
export const dormantPlan = organizationSetting({
  need: "dormant-plan",
  what: "organization with a dormant legacy plan",
  setting: { name: "dormant_plan", does: "give an organization a dormant legacy plan" },
});
