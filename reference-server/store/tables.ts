/** Rows as both engines hold them: instants as integers, lists and maps as JSON text. */
export interface Tables {
  readonly organizations: OrganizationRow;
  readonly api_keys: ApiKeyRow;
  readonly sessions: SessionRow;
  readonly limits: LimitRow;
}

export interface OrganizationRow {
  readonly id: string;
  readonly plan: string;
  readonly kind: string;
  readonly lifetime_spend_cents: number;
  readonly wallet_cents: number;
  /** Milliseconds since 1970 that a manual clock shows; null for a real clock. */
  readonly manual_clock: number | null;
  /** JSON: bucket name to size. */
  readonly limit_sizes: string;
  readonly outage_calls: number;
}

export interface ApiKeyRow {
  readonly id: string;
  readonly organization_id: string;
  /** JSON: a text. PostgreSQL keeps no U+0000 as it is. */
  readonly label: string;
  readonly prefix: string;
  readonly secret_hash: string;
  /** JSON: list of names. */
  readonly scopes: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
}

export interface SessionRow {
  readonly id: string;
  readonly organization_id: string;
  readonly token_hash: string;
  /** 1 for staff, 0 otherwise. */
  readonly staff: number;
  readonly created_at: number;
}

export interface LimitRow {
  readonly organization_id: string;
  /** Algorithm and bucket, since each algorithm means something else by the numbers. */
  readonly name: string;
  readonly mark: number;
  readonly used: number;
  readonly earlier: number;
}
