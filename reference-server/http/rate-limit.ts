import type { Choices } from "../../generated/choices.ts";
import { refuse } from "../../generated/error-rows.ts";
import { type BucketName, buckets } from "../../generated/limits.ts";
import { type Caller, callerTime } from "../domain/caller.ts";
import type { Draw, LimitSize } from "../domain/draw.ts";
import type { Organization } from "../domain/organization.ts";
import { retryAfterSeconds } from "../domain/retry-after.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";
import { callerOf, routeOf, type Step } from "./exchange.ts";

/** 429 when the limit that the operation draws from has no room. */
export function rateLimit(store: Store, world: Pick<World, "now">, choices: Choices): Step<Caller> {
  return async function rateLimit(exchange) {
    const { bucket } = routeOf(exchange).operation;
    if (bucket === null) return null;
    if (routeOf(exchange).operation.draws.length > 1)
      throw new Error("Drawing from several limits at once is not built.");
    const caller = callerOf(exchange);
    const { id } = caller.organization;
    const draw: Draw = {
      algorithm: choices.bucketAlgorithm,
      size: sizeOf(bucket, caller.organization),
      units: 1,
      now: callerTime(caller, world.now()),
    };
    const drawn = await store.draw(id, bucket, draw);
    if (!drawn.admitted) return exhausted(draw.size, retryAfterSeconds(drawn.level, draw));
    if (choices.refusedCallsDraw === "never") exchange.undo.push(() => store.giveBack(id, bucket, draw));
    return null;
  };
}

function exhausted({ capacity, periodSeconds }: LimitSize, seconds: number) {
  const message = `The limit of ${capacity} in ${periodSeconds} s is used up. Try again in ${seconds} s.`;
  return refuse.RateLimited(message, { "Retry-After": String(seconds) });
}

/** The organization's own size, or the contract's. */
function sizeOf(name: string, organization: Organization): LimitSize {
  const own = Object.hasOwn(organization.limits, name) ? organization.limits[name] : undefined;
  if (own !== undefined) return own;
  const bucket = isBucket(name) ? buckets[name] : undefined;
  if (bucket?.kind === "bucket" && bucket.unit === "request") return bucket;
  throw new Error(`The limit ${name} is none that a request draws one unit from.`);
}

const isBucket = (name: string): name is BucketName => Object.hasOwn(buckets, name);
