import { type BucketName, buckets } from "../../../generated/limits.ts";
import type { LimitSize } from "../limits/draw.ts";
import type { Organization } from "../organizations/organization.ts";
import { microsInCent, type Wallet } from "../wallet/wallet.ts";

/** The size of a bucket for an organization: its own, or the contract's for what it has spent. */
export function limitSize(name: string, organization: Organization, { spend }: Pick<Wallet, "spend">): LimitSize {
  const own = ownSize(name, organization);
  if (own !== null) return own;
  const bucket = isBucket(name) ? buckets[name] : null;
  if (bucket === null) throw new Error(`The contract has no limit ${name}.`);
  if (bucket.kind === "bucket") return bucket;
  const tier = bucket.tiers.findLast(({ fromCents }) => fromCents * microsInCent <= spend) ?? bucket.tiers[0];
  return { capacity: tier.capacity, periodSeconds: bucket.periodSeconds };
}

/** Whether the size of a bucket depends on what the organization has spent. */
export const followsSpend = (name: string, organization: Organization): boolean =>
  ownSize(name, organization) === null && isBucket(name) && buckets[name].kind === "ladder";

const ownSize = (name: string, { limits }: Organization): LimitSize | null =>
  (Object.hasOwn(limits, name) ? limits[name] : undefined) ?? null;

const isBucket = (name: string): name is BucketName => Object.hasOwn(buckets, name);
