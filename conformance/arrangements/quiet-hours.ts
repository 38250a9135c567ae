import { offersNo, requirement } from "./requirement.ts";

/** An organization that does not disturb its recipients in certain hours. */
export const quietHours = requirement({
  need: "quiet-hours",
  lacking: offersNo("organization with quiet hours"),
  setting: { name: "quiet_hours", does: "set an organization's quiet hours" },
  isMet: ({ sandbox }) => sandbox !== null,
});
