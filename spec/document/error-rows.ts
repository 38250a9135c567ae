/** Rows of the API document's error table, typed from the document itself. */
export interface DocumentedErrorRow {
  /** Null: the document gives a dedicated 4xx status and only says which ones it is not. */
  readonly status: number | null;
  readonly code: string;
  /** `map` stands for keys that depend on the request; a list names every key. */
  readonly details: "none" | "map" | readonly string[];
}

export const documentedErrorRows: readonly DocumentedErrorRow[] = [
  { status: 400, code: "INVALID_INPUT", details: "none" },
  { status: 400, code: "VALIDATION_FAILED", details: "map" },
  { status: 401, code: "UNAUTHORIZED", details: "none" },
  { status: 402, code: "INSUFFICIENT_CREDIT", details: "none" },
  { status: 402, code: "BELOW_MINIMUM_CREDIT", details: "none" },
  { status: 402, code: "NO_PLAN", details: "none" },
  { status: 403, code: "FORBIDDEN", details: "none" },
  { status: 403, code: "USER_REQUIRED", details: "none" },
  { status: 403, code: "PLAN_REQUIRED", details: "none" },
  { status: 403, code: "PLATFORM_REQUIRED", details: "none" },
  { status: 404, code: "NOT_FOUND", details: "none" },
  { status: 404, code: "NO_PLAN", details: "none" },
  { status: 409, code: "CONFLICT", details: "none" },
  { status: 409, code: "INSUFFICIENT_INVENTORY", details: "none" },
  { status: 409, code: "MESSAGE_NOT_CANCELABLE", details: "none" },
  { status: 409, code: "NUMBER_NOT_ASSIGNED", details: "none" },
  { status: 409, code: "CAMPAIGN_NOT_ACTIVE", details: "none" },
  { status: 409, code: "BRAND_NOT_VERIFIED", details: "none" },
  { status: 409, code: "LIMIT_EXCEEDED", details: "none" },
  { status: 409, code: "NO_BILLING_CUSTOMER", details: "none" },
  { status: 410, code: "EVENT_EXPIRED", details: "none" },
  { status: 422, code: "VALIDATION_FAILED", details: "map" },
  { status: 422, code: "LINE_TYPE_BLOCKED", details: ["phone_number", "line_type", "lookup_id", "looked_up_at"] },
  {
    status: 422,
    code: "QUIET_HOURS",
    details: ["recipient_timezone", "quiet_hours_start", "quiet_hours_end", "next_send_at"],
  },
  { status: 422, code: "QUIET_HOURS_BYPASS_FORBIDDEN", details: "none" },
  { status: 422, code: "INVALID_INPUT", details: "none" },
  { status: 422, code: "INVALID_TIMEZONE", details: ["timezone"] },
  { status: 422, code: "UNKNOWN_NOTIFICATION_KEY", details: "map" },
  { status: 422, code: "IMMUTABLE_NOTIFICATION_KEY", details: "map" },
  { status: 422, code: "LOOKUP_UNSUPPORTED_REGION", details: "none" },
  { status: 422, code: "GRANULARITY_NOT_AVAILABLE", details: ["max_granularity"] },
  { status: 422, code: "WINDOW_TOO_LARGE", details: ["bucket_count", "max_buckets"] },
  { status: 422, code: "METRIC_NOT_AVAILABLE", details: "none" },
  { status: 422, code: "RESELLER_REQUIRED", details: "none" },
  { status: 422, code: "RESELLER_NOT_ELIGIBLE", details: "none" },
  { status: 422, code: "RESELLER_HAS_BRANDS", details: "none" },
  { status: 429, code: "RATE_LIMITED", details: "none" },
  { status: null, code: "CONSENT_REQUIRED", details: "none" },
  { status: 500, code: "INTERNAL_ERROR", details: "none" },
  { status: 502, code: "LOOKUP_FAILED", details: "none" },
  { status: 502, code: "BILLING_PORTAL_UNAVAILABLE", details: "none" },
  { status: 503, code: "MMS_DISABLED", details: "none" },
];

/** Keys of `details` whose strings have a form of their own, with texts that the document allows and rules out. */
export const documentedDetailsForms: readonly {
  readonly key: string;
  readonly shape: string;
  readonly allowed: readonly string[];
  readonly ruledOut: readonly string[];
}[] = [
  { key: "quiet_hours_start", shape: "string", allowed: ["21:00", "00:30"], ruledOut: ["9pm", "21", "21:00:00"] },
  { key: "quiet_hours_end", shape: "string", allowed: ["08:00", "23:59"], ruledOut: ["8am", "8", "08:00:00"] },
  { key: "next_send_at", shape: "string, date-time", allowed: ["2026-01-01T08:00:00Z"], ruledOut: [] },
];

/** The only error whose answer may have data. */
export const errorWithData = { pair: "409 INSUFFICIENT_INVENTORY", route: "POST /v1/phone-numbers/orders" } as const;

/** Statuses that the document rules out for the row without a status of its own. */
export const consentRequiredIsNot: readonly number[] = [403, 422];

/** Documented rows whose answer always carries a header beside `X-Request-Id`. */
export const documentedErrorHeaders: readonly { readonly code: string; readonly headers: readonly string[] }[] = [
  { code: "RATE_LIMITED", headers: ["Retry-After"] },
];

export const documentedReservedCodes: readonly string[] = [
  "NOT_IMPLEMENTED",
  "METHOD_NOT_ALLOWED",
  "TIMEOUT",
  "CLIENT_CLOSED_REQUEST",
  "SESSION_INVALID",
  "PLAN_LIMIT_EXCEEDED",
  "TIER_MISMATCH",
  "HAS_ACTIVE_CAMPAIGNS",
  "REFERENCE_ID_CONFLICT",
  "INVALID_FIELD",
  "NUMBER_ASSIGNED",
  "ORG_NOT_FOUND",
];

/** What there is too little of where a code is answered: money, charged use before the call, rank of the plan, numbers for sale. */
export const documentedShortages: { readonly [code: string]: "credit" | "paidUse" | "plan" | "stock" } = {
  INSUFFICIENT_CREDIT: "credit",
  // Of metrics on lookups, which are charged.
  METRIC_NOT_AVAILABLE: "paidUse",
  PLAN_REQUIRED: "plan",
  INSUFFICIENT_INVENTORY: "stock",
};
