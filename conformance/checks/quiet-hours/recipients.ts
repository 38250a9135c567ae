/** Numbers of fiction whose area code lies in one zone alone, by that zone: those whose clocks change, and others. */
export const recipientIn = {
  "America/Halifax": "+19025550142",
  "America/New_York": "+12125550142",
  "America/Chicago": "+13125550142",
  "America/Denver": "+13035550142",
  "America/Phoenix": "+16025550142",
  "America/Los_Angeles": "+12135550142",
  "Pacific/Honolulu": "+18085550142",
} as const;

export type RecipientZone = keyof typeof recipientIn;
