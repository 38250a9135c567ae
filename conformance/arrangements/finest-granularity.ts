import { organizationSetting } from "./organization-setting.ts";

/** An organization whose plan allows metrics of a certain granularity, and none that is finer. */
export const finestGranularity = organizationSetting({
  need: "finest-granularity",
  what: "organization whose plan has a chosen finest granularity of metrics",
  setting: {
    name: "finest_granularity",
    does: "choose the finest granularity of metrics under an organization's plan",
  },
});
