import { offersNo, requirement } from "./requirement.ts";

/** Buckets of another size than the contract's. */
export const limitOverride = requirement({
  need: "limit-override",
  lacking: offersNo("limit override"),
  setting: { name: "limits", does: "set an organization's limits" },
  isMet: ({ sandbox }) => sandbox !== null,
});
