/** A step of the send ladder; amounts are US dollars of lifetime spend, null where the step is open above. */
export interface DocumentedTier {
  readonly tier: number;
  readonly fromDollars: number;
  readonly toDollars: number | null;
  readonly perSecond: number;
  readonly perMinute: number;
}

export const documentedSendLadder: readonly DocumentedTier[] = [
  { tier: 1, fromDollars: 0, toDollars: 100, perSecond: 1, perMinute: 60 },
  { tier: 2, fromDollars: 100, toDollars: 500, perSecond: 5, perMinute: 300 },
  { tier: 3, fromDollars: 500, toDollars: 5_000, perSecond: 20, perMinute: 1_200 },
  { tier: 4, fromDollars: 5_000, toDollars: null, perSecond: 100, perMinute: 6_000 },
];

export const routeOnSendLadder = "POST /v1/messages";

export interface DocumentedBucket {
  /** Every route that draws from the bucket. */
  readonly routes: readonly string[];
  /** Null: the document names the limit without its number. */
  readonly capacity: number | null;
  readonly periodSeconds: number;
  readonly unit: "request" | "record";
  /** "By default" stands beside the number; null where there is no number to adjust. */
  readonly adjustable: boolean | null;
}

const minute = 60;
const hour = 3_600;

export const documentedBuckets: readonly DocumentedBucket[] = [
  {
    routes: ["POST /v1/api-keys", "POST /v1/api-keys/{id}/rotate"],
    capacity: 10,
    periodSeconds: minute,
    unit: "request",
    adjustable: false,
  },
  {
    routes: ["POST /v1/webhooks/deliveries/{id}/replay"],
    capacity: 10,
    periodSeconds: minute,
    unit: "request",
    adjustable: true,
  },
  {
    routes: ["POST /v1/contacts/{contact_number}/erase"],
    capacity: 100,
    periodSeconds: hour,
    unit: "request",
    adjustable: true,
  },
  {
    routes: ["POST /v1/consent", "POST /v1/consent/bulk"],
    capacity: null,
    periodSeconds: minute,
    unit: "record",
    adjustable: null,
  },
];

/** A number of the document that bounds something other than calls in time. */
export interface DocumentedBound {
  readonly says: string;
  readonly value: number;
  /** Words that a bound about this subject has in its name or unit. */
  readonly about: readonly RegExp[];
}

export const documentedBounds: readonly DocumentedBound[] = [
  { says: "active webhook endpoints of an organization", value: 50, about: [/endpoint/i] },
  { says: "smallest page of the delivery list", value: 1, about: [/deliver|page/i, /min/i] },
  { says: "largest page of the delivery list", value: 200, about: [/deliver|page/i, /max/i] },
  { says: "page of the delivery list by default", value: 50, about: [/deliver|page/i, /default/i] },
  { says: "lowest status that the delivery list filters by", value: 100, about: [/status/i, /min/i] },
  { says: "highest status that the delivery list filters by", value: 599, about: [/status/i, /max/i] },
  { says: "buckets of a metrics window", value: 10_000, about: [/metric/i, /bucket/i] },
  { says: "charge for a brand, in cents", value: 500, about: [/brand/i, /cent/i] },
  { says: "brands without reseller mode", value: 1, about: [/brands/i, /reseller/i] },
  {
    says: "seconds that the organization's former signing secret stays valid",
    value: 5 * minute,
    about: [/secret/i, /second/i],
  },
];
