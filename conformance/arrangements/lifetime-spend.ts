import { organizationSetting } from "./organization-setting.ts";

/** What an organization has spent before, by which it stands on the send ladder. */
export const lifetimeSpend = organizationSetting({
  need: "lifetime-spend",
  what: "organization that has spent so much",
  setting: { name: "lifetime_spend_micros", does: "choose what an organization has spent" },
});
