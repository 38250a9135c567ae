import { organizationSetting } from "./organization-setting.ts";

/** An organization whose manual clock starts at a time of the kit's choice. */
export const chosenTime = organizationSetting({
  need: "chosen-time",
  what: "organization that lives at a chosen time",
  setting: { name: "starts_at", does: "choose where an organization's clock starts" },
});
