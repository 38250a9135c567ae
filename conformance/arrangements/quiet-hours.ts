import { organizationSetting } from "./organization-setting.ts";

/** An organization that does not disturb its recipients in certain hours. */
export const quietHours = organizationSetting({
  need: "quiet-hours",
  what: "organization with quiet hours",
  setting: { name: "quiet_hours", does: "set an organization's quiet hours" },
});
