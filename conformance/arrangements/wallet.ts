import { organizationSetting } from "./organization-setting.ts";

/** An organization with so much money and no more. */
export const wallet = organizationSetting({
  need: "wallet",
  what: "organization with so much in its wallet",
  setting: { name: "wallet_micros", does: "choose what is in an organization's wallet" },
});
