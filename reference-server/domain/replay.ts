import { refuse } from "../../generated/error-rows.ts";

/** Why a delivery cannot be replayed. */
export type NotReplayed = "missing" | "expired" | "inactive";

export function refuseReplay(why: NotReplayed) {
  switch (why) {
    case "missing":
      // One answer for an unknown delivery, another organization's, and one whose endpoint is deleted.
      return refuse.NotFound("There is no such delivery.");
    case "expired":
      return refuse.EventExpired("The event of the delivery is no longer kept, so it cannot be sent again.");
    case "inactive":
      return refuse.Conflict("The endpoint of the delivery is not active.");
  }
}
