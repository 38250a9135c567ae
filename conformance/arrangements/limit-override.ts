import { organizationSetting } from "./organization-setting.ts";

/** Buckets of another size than the contract's. */
export const limitOverride = organizationSetting({
  need: "limit-override",
  what: "limit override",
  setting: { name: "limits", does: "set an organization's limits" },
});
