import { refuse } from "../../generated/error-rows.ts";
import { type BucketName, buckets } from "../../generated/limits.ts";
import { type Caller, callerTime } from "../domain/caller.ts";
import type { Organization } from "../domain/organization.ts";
import { type BucketSize, drawOf, retryAfterSeconds } from "../domain/token-bucket.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";
import { callerOf, routeOf, type Step } from "./exchange.ts";

/** Units that one request draws: so far every bucket in use counts requests. */
const unitsOfRequest = 1;

/** 429 when the bucket of the operation has no room. */
export function rateLimit(store: Store, world: World): Step<Caller> {
  return async function rateLimit(exchange) {
    const { bucket } = routeOf(exchange).operation;
    if (bucket === null) return null;
    const caller = callerOf(exchange);
    const size = sizeOf(bucket, caller.organization);
    const draw = drawOf(size, unitsOfRequest, callerTime(caller, world.now()));
    const drawn = await store.draw(caller.organization.id, bucket, draw);
    if (drawn.admitted) return null;
    const seconds = retryAfterSeconds(drawn.fullAtMicros, draw);
    return refuse.RateLimited(`The limit of ${size.capacity} per ${size.periodSeconds} s is used up. Try again in ${seconds} s.`, {
      "Retry-After": String(seconds),
    });
  };
}

/** The organization's own size, or the contract's. */
function sizeOf(name: string, organization: Organization): BucketSize {
  const own = Object.hasOwn(organization.limits, name) ? organization.limits[name] : undefined;
  if (own !== undefined) return own;
  const bucket = isBucket(name) ? buckets[name] : undefined;
  if (bucket?.kind === "bucket" && bucket.unit === "request") return bucket;
  throw new Error(`The limit ${name} is none that a request draws one unit from.`);
}

const isBucket = (name: string): name is BucketName => Object.hasOwn(buckets, name);
