import { organizationSetting } from "./organization-setting.ts";

/** An organization that has no plan. */
export const noPlan = organizationSetting({
  need: "no-plan",
  what: "organization without a plan",
  setting: { name: "no_plan", does: "have an organization without a plan" },
});
