import { type BucketName, buckets } from "../../../generated/limits.ts";
import type { Organization } from "../organizations/organization.ts";
import type { LimitSize } from "./draw.ts";

/** The size of a bucket for an organization: its own, or the contract's. */
export function limitSize(name: string, organization: Organization): LimitSize {
  const own = Object.hasOwn(organization.limits, name) ? organization.limits[name] : undefined;
  if (own !== undefined) return own;
  const bucket = isBucket(name) ? buckets[name] : undefined;
  if (bucket?.kind === "bucket") return bucket;
  throw new Error(`The contract has no size for the limit ${name}.`);
}

const isBucket = (name: string): name is BucketName => Object.hasOwn(buckets, name);
