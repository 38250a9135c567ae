import { organizationSetting } from "./organization-setting.ts";

/** An organization that registers brands on behalf of others, and so may have several. */
export const resellerMode = organizationSetting({
  need: "reseller-mode",
  what: "organization in reseller mode",
  setting: { name: "is_reseller", does: "turn an organization's reseller mode on" },
});
