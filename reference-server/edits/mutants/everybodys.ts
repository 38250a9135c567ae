import type { DeliveryAttempt } from "../../../generated/models/deliveries.ts";
import { allRecords } from "../feed-pages.ts";
import type { Seen } from "../seen.ts";
import type { Serve, WireRequest } from "../wire.ts";
import { withKey } from "../wire-requests.ts";

/** What all organizations have for a request, newest first. */
export async function everybodys(serve: Serve, request: WireRequest, seen: Seen): Promise<readonly DeliveryAttempt[]> {
  const keys = seen.organizations().flatMap((organization) => seen.widestKeyOf(organization) ?? []);
  const feeds = await Promise.all(keys.map((key) => allRecords(serve, withKey(request, key))));
  return feeds.flat().toSorted((one, other) => other.occurred_at.localeCompare(one.occurred_at));
}
