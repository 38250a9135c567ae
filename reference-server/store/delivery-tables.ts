export interface WebhookEndpointRow {
  readonly id: string;
  readonly organization_id: string;
  /** JSON: a text. */
  readonly url: string;
  /** JSON: list of event types. */
  readonly events: string;
  /** 1 for active, 0 otherwise; a deleted one is not active. */
  readonly active: number;
  readonly api_version: string;
  /** As it signs, base64: a hash could sign nothing. Whoever reads the database can sign in the organization's name. */
  readonly secret: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly deleted_at: number | null;
}

export interface EventRow {
  readonly id: string;
  readonly organization_id: string;
  readonly type: string;
  /** JSON: an object, whose members keep their order. */
  readonly data: string;
  readonly created_at: number;
}

/** Work that shares a bound on how much of it is done at once. */
export interface JobPartitionRow {
  /**
   * For deliveries the endpoint's. A kind that divides its work by something that another kind divides by too puts its
   * name before it.
   */
  readonly id: string;
  readonly kind: string;
  readonly organization_id: string;
  /** 1 where the organization has a manual clock, which it then has for ever; 0 otherwise. */
  readonly manual: number;
  /**
   * In real time: nothing can be claimed here before this instant. Whoever may have made something due earlier lowers
   * it; only a claim, which looks, raises it. Null when there is nothing to look for, and always for manual clocks.
   */
  readonly look_at: number | null;
}

/** Work that is still to be done. The row goes when it is over. Its kind is its partition's. */
export interface JobRow {
  readonly id: string;
  readonly partition_id: string;
  /** What a delivery takes to its endpoint; null for other kinds. */
  readonly event_id: string | null;
  /** What is sent; null for other kinds. */
  readonly message_id: string | null;
  readonly attempts: number;
  /** In the organization's time. */
  readonly due_at: number;
  /** Who has it in hand, and until when in real time; both null when nobody has. */
  readonly lease: string | null;
  readonly lease_until: number | null;
  /** JSON: the forced answer that the attempt in hand meets. */
  readonly forced: string | null;
}

export interface DeliveryAttemptRow {
  readonly id: string;
  /** No reference that the database checks: whoever deletes an organization deletes these after it. */
  readonly organization_id: string;
  readonly delivery_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  /** JSON: a text, as are the receiver's own words below. */
  readonly url: string;
  readonly attempt: number;
  readonly outcome: string;
  /** 0 when nobody answered: unlike null it has one place in the order of every engine. */
  readonly response_status: number;
  readonly response_time_ms: number;
  readonly request_body_sha256: string;
  readonly request_body_bytes: number;
  /** JSON: a text. */
  readonly response_body_excerpt: string;
  /** JSON: name to value. */
  readonly request_headers: string;
  /** JSON: a text. */
  readonly error: string | null;
  readonly occurred_at: number;
}

/** How many attempts of one result there are. The database keeps it by triggers on `delivery_attempts`. */
export interface AttemptCountRow {
  readonly organization_id: string;
  /** Empty for all endpoints. */
  readonly endpoint_id: string;
  /** Empty for all types. */
  readonly event_type: string;
  /** Milliseconds; 0 for all time. */
  readonly period: number;
  /** A multiple of the period. */
  readonly starts_at: number;
  readonly outcome: string;
  readonly response_status: number;
  readonly attempts: number;
}

/** The audit record of a replay. */
export interface ReplayRow {
  readonly id: string;
  readonly organization_id: string;
  readonly attempt_id: string;
  /** The new one. */
  readonly event_id: string;
  /** JSON: a text. */
  readonly reason: string | null;
  /** Key or session. */
  readonly requested_by: string;
  readonly requested_at: number;
}

/** What a coming attempt at an endpoint meets; those of lower positions come first. */
export interface ForcedAnswerRow {
  readonly endpoint_id: string;
  readonly position: number;
  /** JSON. */
  readonly answer: string;
  /** 1 for one that stays for all later attempts, 0 otherwise. */
  readonly repeats: number;
}

export interface OrganizationSecretsRow {
  readonly organization_id: string;
  /** Base64, as it signs. */
  readonly current: string;
  /** JSON: list of secrets with the time until which they are valid, latest first. */
  readonly previous: string;
}
