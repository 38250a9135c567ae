import { type BucketName, buckets } from "../../generated/limits.ts";
import type { CheckContext } from "../context/context.ts";
import type { Tenant } from "../provision/tenant.ts";

/** An organization whose clock stands still, with a limit that admits one and no more in its period. */
export const roomForOne = (t: CheckContext, bucket: BucketName): Promise<Tenant> =>
  t.tenant({
    clock: "manual",
    limits: { [bucket]: { capacity: 1, period_seconds: buckets[bucket].periodSeconds } },
  });
