import { organizationSetting } from "./organization-setting.ts";

/** An organization that is personal, or one that is commercial. */
export const organizationKind = organizationSetting({
  need: "organization-kind",
  what: "personal organization",
  setting: { name: "kind", does: "choose whether an organization is personal or commercial" },
});
