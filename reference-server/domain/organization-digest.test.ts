import { describe, expect, it } from "vitest";
import { type ApiKey, newKey } from "./api-keys.ts";
import { newCustomer } from "./organization.ts";
import { organizationDigest } from "./organization-digest.ts";

const organization = newCustomer({ newId: () => "org" });
const keyOf = (id: string): ApiKey =>
  newKey(
    { id, organizationId: organization.id, label: "x", scopes: ["apikeys:read"], createdAt: 1 },
    { plaintext: "", prefix: "p", secretHash: id },
  );
const [one, two] = [keyOf("1"), keyOf("2")];
const digest = organizationDigest(organization, [one, two]);

describe("the digest of an organization", () => {
  it("does not depend on the order of records, on uses, on the clock, on limits or on outages", () => {
    expect(organizationDigest(organization, [two, one])).toBe(digest);
    expect(organizationDigest(organization, [{ ...one, lastUsedAt: 5 }, two])).toBe(digest);
    const later = { ...organization, clock: { mode: "manual", at: 9 }, outageCalls: 3 } as const;
    expect(organizationDigest(later, [one, two])).toBe(digest);
  });

  it.each([
    ["money", { ...organization, walletCents: 1 }, [one, two]],
    ["lifetime spend", { ...organization, lifetimeSpendCents: 1 }, [one, two]],
    ["the plan", { ...organization, plan: "growth" }, [one, two]],
    ["a key more or less", organization, [one]],
    ["a secret", organization, [one, { ...two, secretHash: "3" }]],
    ["a revocation", organization, [one, { ...two, revokedAt: 1 }]],
    ["a label", organization, [one, { ...two, label: "y" }]],
  ])("depends on %s", (_what, changed, keys) => {
    expect(organizationDigest(changed, keys)).not.toBe(digest);
  });
});
