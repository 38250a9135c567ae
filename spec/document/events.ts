export const documentedEventTypes: readonly string[] = [
  "brand.vetted",
  "brand.vetting_failed",
  "campaign.approved",
  "campaign.rejected",
  "campaign.shared",
  "wallet.balance_low",
  "wallet.balance_zero",
  "subscription.past_due",
  "subscription.canceled",
  "api_key.created",
  "api_key.rotated",
  "api_key.revoked",
  "phone_number.bulk_order.completed",
  "phone_number.campaign.assigned",
  "consent_pending.confirmed",
  "consent_pending.expired",
  "lookup.completed",
];

/** A header of each delivery request, with values that the document allows and values that it rules out. */
interface DocumentedDeliveryHeader {
  readonly name: string;
  readonly allowed: readonly string[];
  readonly ruledOut: readonly string[];
}

export const documentedDeliveryHeaders: readonly DocumentedDeliveryHeader[] = [
  { name: "Content-Type", allowed: ["application/json"], ruledOut: ["text/plain", "application/xml"] },
  { name: "User-Agent", allowed: ["Svc-Webhooks/1.0", "anything at all"], ruledOut: [] },
  {
    name: "X-Svc-Event-ID",
    allowed: ["evt_3f2504e0-4f89-41d3-9a0c-0305e82c3301", "evt_018f4e9a-7c1e-7b3a-9d2f-5c6b7a8d9e0f"],
    ruledOut: [
      "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
      "evt_",
      "evt_12",
      "evt_3f2504e0-4f89-41d3-9a0c-0305e82c3301x",
      "msg_3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    ],
  },
  {
    name: "X-Svc-Event-Type",
    allowed: documentedEventTypes,
    ruledOut: ["", "lookup.complete", "lookup.completed.twice", "Lookup.completed"],
  },
  {
    name: "X-Svc-Signature",
    allowed: [
      "t=1767225600,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
      "t=1767225600,v1=Zm9vYmFy+/8=",
    ],
    ruledOut: ["5257a869e7ecebeda32affa62cdca3fa51cad7e7", "t=,v1=ab", "v1=ab", "t=2026-01-01T00:00:00Z,v1=ab"],
  },
];
