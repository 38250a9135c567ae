import { organizationSetting } from "./organization-setting.ts";

/** An organization whose plan has a certain least amount of a top-up, or none. */
export const leastTopUp = organizationSetting({
  need: "least-top-up",
  what: "organization whose plan has a chosen least top-up",
  setting: { name: "min_topup_cents", does: "choose the least top-up of an organization's plan" },
});
