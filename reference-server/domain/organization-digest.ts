import { createHash } from "node:crypto";
import type { ApiKey } from "./api-keys.ts";
import type { Organization } from "./organization.ts";

/**
 * SHA-256 over the resources and money of an organization. What a mere request leaves behind (times of last use,
 * levels of buckets, the clock) is not part of it, so that it stays equal when nothing was changed.
 */
export function organizationDigest(organization: Organization, keys: readonly ApiKey[]): string {
  const state = {
    plan: organization.plan,
    kind: organization.kind,
    wallet: organization.walletCents,
    lifetimeSpend: organization.lifetimeSpendCents,
    keys: keys.map(({ lastUsedAt: _, ...kept }) => kept).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  };
  return createHash("sha256").update(canonical(state)).digest("hex");
}

/** JSON with the members of every object in order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
