import { describe, expect, it } from "vitest";
import { referenceChoices } from "../../../generated/choices.ts";
import { newDoubleOptIn } from "../consent/double-opt-in.ts";
import { newHostedForm } from "../consent/hosted-form.ts";
import { type ApiKey, newKey } from "../keys/api-keys.ts";
import { newCustomer } from "../organizations/organization.ts";
import { newBrand } from "../registration/brand.ts";
import { newCampaign } from "../registration/campaign.ts";
import { emptyWallet } from "../wallet/wallet.ts";
import { type HashedEndpoint, type OrganizationResources, organizationDigest } from "./organization-digest.ts";

const organization = newCustomer({ newId: () => "org" });
const keyOf = (id: string): ApiKey =>
  newKey(
    { id, organizationId: organization.id, label: "x", scopes: ["apikeys:read"], createdAt: 1 },
    { plaintext: "", prefix: "p", secretHash: id },
  );
const [one, two] = [keyOf("1"), keyOf("2")];
const endpointOf = (id: string): HashedEndpoint => ({
  id,
  organizationId: organization.id,
  url: "https://receiver.example/",
  events: [],
  active: true,
  apiVersion: "2026-01-01",
  secretHash: id,
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
});
const [here, there] = [endpointOf("1"), endpointOf("2")];
const webhooks = {
  endpoints: [here, there],
  secretHashes: ["a", "b"],
  events: 1,
  attempts: 2,
  replays: 3,
  deliveries: 4,
};
const wallet = emptyWallet;
const hostedForm = newHostedForm(
  { id: "1", organizationId: "org", phoneNumber: "+12025550123", source: "test", senderName: "me", tokenHash: "a" },
  1,
);
const doubleOptIn = newDoubleOptIn(
  { id: "1", organizationId: "org", phoneNumber: "+12025550123", source: "test", now: 1 },
  referenceChoices,
);
const brand = newBrand({ id: "1", organizationId: "org", name: "Corner Bakery", createdAt: 1 });
const campaign = newCampaign({ id: "1", organizationId: "org", brandId: "1", description: "Orders.", createdAt: 1 });
const resources: OrganizationResources = {
  organization,
  wallet,
  keys: [one, two],
  lookups: 1,
  consents: [],
  doubleOptIns: [],
  hostedForms: [],
  phoneNumbers: [],
  profiles: [],
  notifications: [],
  legalAcceptances: 0,
  messages: { queued: 1 },
  brands: [brand],
  campaigns: [campaign],
  webhooks,
};
const digest = organizationDigest(resources);

describe("the digest of an organization", () => {
  it("does not depend on the order of records, on uses, on the clock, on limits or on outages", () => {
    expect(organizationDigest({ ...resources, keys: [two, one] })).toBe(digest);
    expect(organizationDigest({ ...resources, webhooks: { ...webhooks, endpoints: [there, here] } })).toBe(digest);
    expect(organizationDigest({ ...resources, keys: [{ ...one, lastUsedAt: 5 }, two] })).toBe(digest);
    const later = {
      ...organization,
      clock: { mode: "manual", at: 9 },
      outages: { unhandled_error: 3, lookup: 3, billing_portal: 3 },
    } as const;
    expect(organizationDigest({ ...resources, organization: later })).toBe(digest);
  });

  it.each<readonly [string, Partial<OrganizationResources>]>([
    ["money", { wallet: { ...wallet, balance: 1 } }],
    ["lifetime spend", { wallet: { ...wallet, spend: 1 } }],
    ["a charge that was given back", { wallet: { ...wallet, entries: 2 } }],
    ["a lookup", { lookups: 2 }],
    [
      "a consent",
      {
        consents: [
          { organizationId: "org", phoneNumber: "+12025550123", state: "opted-in", source: "test", capturedAt: 1 },
        ],
      },
    ],
    ["a double opt-in", { doubleOptIns: [doubleOptIn] }],
    ["a hosted form", { hostedForms: [hostedForm] }],
    ["a profile", { profiles: [{ organizationId: "org", id: "user", name: null, timezone: "Etc/UTC" }] }],
    [
      "what a user is told of",
      { notifications: [{ organizationId: "org", id: "user", settings: { email: { billing: false } } }] },
    ],
    ["an acceptance", { legalAcceptances: 1 }],
    ["a brand", { brands: [] }],
    ["what came of a brand's verification", { brands: [{ ...brand, identityStatus: "UNVERIFIED" }] }],
    ["a campaign", { campaigns: [] }],
    ["a campaign's status", { campaigns: [{ ...campaign, status: "REJECTED" }] }],
    ["reseller mode", { organization: { ...organization, isReseller: true } }],
    ["quiet hours", { organization: { ...organization, quietHours: { mode: "defer", start: "21:00", end: "08:00" } } }],
    ["the plan", { organization: { ...organization, plan: "growth" } }],
    ["its least top-up", { organization: { ...organization, minTopUpCents: 100 } }],
    ["auto top-up", { organization: { ...organization, autoTopUp: { productId: "usd_5", threshold: 100 } } }],
    ["a key more or less", { keys: [one] }],
    ["a key's secret", { keys: [one, { ...two, secretHash: "3" }] }],
    ["a revocation", { keys: [one, { ...two, revokedAt: 1 }] }],
    ["a label", { keys: [one, { ...two, label: "y" }] }],
    ["an endpoint more or less", { webhooks: { ...webhooks, endpoints: [here] } }],
    ["an endpoint's secret", { webhooks: { ...webhooks, endpoints: [here, { ...there, secretHash: "3" }] } }],
    ["a deletion", { webhooks: { ...webhooks, endpoints: [here, { ...there, deletedAt: 1 }] } }],
    ["the organization's secrets", { webhooks: { ...webhooks, secretHashes: ["c", "a"] } }],
    ["an event", { webhooks: { ...webhooks, events: 0 } }],
    ["an attempt", { webhooks: { ...webhooks, attempts: 0 } }],
    ["a replay", { webhooks: { ...webhooks, replays: 0 } }],
    ["a delivery", { webhooks: { ...webhooks, deliveries: 0 } }],
  ])("depends on %s", (_what, changed) => {
    expect(organizationDigest({ ...resources, ...changed })).not.toBe(digest);
  });
});
