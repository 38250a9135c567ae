import { offersNo, requirement } from "./requirement.ts";

/** What an organization has spent before, by which it stands on the send ladder. */
export const lifetimeSpend = requirement({
  need: "lifetime-spend",
  lacking: offersNo("organization that has spent so much"),
  setting: { name: "lifetime_spend_micros", does: "choose what an organization has spent" },
  isMet: ({ sandbox }) => sandbox !== null,
});
