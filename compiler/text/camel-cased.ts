/** `phone_number.campaign.assigned` → `phoneNumberCampaignAssigned`. */
export const camelCased = (text: string): string =>
  text.replace(/[._-]+(\w)/g, (_, letter: string) => letter.toUpperCase());
