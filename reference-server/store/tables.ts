import type {
  AttemptCountRow,
  DeliveryAttemptRow,
  EventRow,
  ForcedAnswerRow,
  JobPartitionRow,
  JobRow,
  OrganizationSecretsRow,
  ReplayRow,
  WebhookEndpointRow,
} from "./delivery-tables.ts";

/** Rows as both engines hold them: instants as integers, lists and maps as JSON text. */
export interface Tables {
  readonly organizations: OrganizationRow;
  readonly api_keys: ApiKeyRow;
  readonly sessions: SessionRow;
  readonly limits: LimitRow;
  readonly webhook_endpoints: WebhookEndpointRow;
  readonly events: EventRow;
  readonly job_partitions: JobPartitionRow;
  readonly jobs: JobRow;
  readonly delivery_attempts: DeliveryAttemptRow;
  readonly attempt_counts: AttemptCountRow;
  readonly replays: ReplayRow;
  readonly forced_answers: ForcedAnswerRow;
  readonly organization_secrets: OrganizationSecretsRow;
  readonly server_secrets: ServerSecretRow;
  readonly ledger_entries: LedgerEntryRow;
  readonly lookups: LookupRow;
  readonly lines: LineRow;
  readonly phone_numbers: PhoneNumberRow;
  readonly number_stocks: NumberStockRow;
  readonly messages: MessageRow;
  readonly message_counts: MessageCountRow;
  readonly metric_sums: MetricSumRow;
  readonly kept_answers: KeptAnswerRow;
  readonly consents: ConsentRow;
  readonly double_opt_ins: DoubleOptInRow;
  readonly hosted_forms: HostedFormRow;
  readonly profiles: ProfileRow;
  readonly notification_settings: NotificationSettingsRow;
  readonly legal_acceptances: LegalAcceptanceRow;
  readonly brands: BrandRow;
  readonly campaigns: CampaignRow;
}

export interface OrganizationRow {
  readonly id: string;
  readonly plan: string;
  readonly kind: string;
  /** 1 for resellers, 0 otherwise. */
  readonly is_reseller: number;
  /** Milliseconds since 1970 that a manual clock shows; null for a real clock. */
  readonly manual_clock: number | null;
  /** JSON: bucket name to size. */
  readonly limit_sizes: string;
  /** JSON: mode and window; null for none. */
  readonly quiet_hours: string | null;
  readonly outage_calls: number;
  readonly lookup_outage_calls: number;
  readonly portal_outage_calls: number;
  /** The least top-up of the plan, in US cents; null where any is enough. */
  readonly min_topup_cents: number | null;
  /** JSON: product and threshold; null while there is none. */
  readonly auto_top_up: string | null;
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
  /** Null in a row from before there were users: the session is that of a user of its own. */
  readonly user_id: string | null;
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

/** Millionths of a US dollar. No row ever changes. */
export interface LedgerEntryRow {
  readonly organization_id: string;
  /** Counts from 1. */
  readonly position: number;
  readonly kind: string;
  readonly amount: number;
  /** Of one kind there is one entry for each. */
  readonly reference: string;
  readonly at: number;
  /** What all entries until this one come to; the database refuses one below zero. */
  readonly balance: number;
  /** What was charged until this one and not given back. */
  readonly spend: number;
}

export interface LookupRow {
  readonly id: string;
  readonly organization_id: string;
  readonly phone_number: string;
  readonly line_type: string;
  readonly looked_up_at: number;
  /** Counts those of the number from 1, as times may be equal. */
  readonly position: number;
}

export interface BrandRow {
  readonly id: string;
  readonly organization_id: string;
  /** JSON: a text. */
  readonly name: string;
  readonly identity_status: string;
  readonly created_at: number;
}

export interface CampaignRow {
  readonly id: string;
  readonly organization_id: string;
  readonly brand_id: string;
  /** JSON: a text. */
  readonly description: string;
  readonly status: string;
  readonly created_at: number;
}

/** What the organization's lookups of a number find. */
export interface LineRow {
  readonly organization_id: string;
  readonly phone_number: string;
  readonly line_type: string;
}

/** A phone number that an organization holds. */
export interface PhoneNumberRow {
  readonly id: string;
  readonly organization_id: string;
  /** There is one row for each, whoever holds it. */
  readonly phone_number: string;
  readonly status: string;
  /** JSON: a text or null, as are the addresses. */
  readonly label: string;
  readonly inbound_url: string;
  readonly status_url: string;
  readonly campaign_id: string | null;
  readonly ordered_at: number;
}

/** What the organization finds of phone numbers. */
export interface NumberStockRow {
  readonly organization_id: string;
  /** JSON: list of numbers. */
  readonly phone_numbers: string;
}

/** How many messages there are. The database keeps it by triggers on `messages`. */
export interface MessageCountRow {
  readonly organization_id: string;
  readonly messages: number;
}

/** What was done in one period. The database keeps it by triggers on what is summed up. */
export interface MetricSumRow {
  readonly organization_id: string;
  readonly metric: string;
  /** Milliseconds. */
  readonly period: number;
  /** A multiple of the period. */
  readonly starts_at: number;
  readonly amount: number;
}

export interface MessageRow {
  readonly id: string;
  readonly organization_id: string;
  readonly recipient: string;
  /** JSON: a text. */
  readonly body: string;
  readonly status: string;
  readonly scheduled_at: number | null;
  /** Millionths of a US dollar. */
  readonly cost: number;
  readonly created_at: number;
}

/** What is known last of a recipient's will. */
export interface ConsentRow {
  readonly organization_id: string;
  readonly phone_number: string;
  readonly state: string;
  /** JSON: a text. */
  readonly source: string;
  readonly captured_at: number;
}

/** A recipient who was asked; of one number at most one is pending. */
export interface DoubleOptInRow {
  readonly id: string;
  readonly organization_id: string;
  readonly phone_number: string;
  /** JSON: a text. */
  readonly source: string;
  readonly state: string;
  readonly created_at: number;
  readonly expires_at: number;
}

/** A page on which a recipient can consent. */
export interface HostedFormRow {
  readonly id: string;
  readonly organization_id: string;
  readonly phone_number: string;
  /** JSON: a text, as is the sender's name. */
  readonly source: string;
  readonly sender_name: string;
  readonly token_hash: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly submitted_at: number | null;
}

/** What a user says of themselves. */
export interface ProfileRow {
  readonly organization_id: string;
  readonly id: string;
  /** JSON: a text; null while there is none. */
  readonly name: string | null;
  readonly timezone: string;
}

/** What a user is told of. */
export interface NotificationSettingsRow {
  readonly organization_id: string;
  /** Of the user. */
  readonly id: string;
  /** JSON: by channel and toggle. */
  readonly settings: string;
}

/** That a user accepted a legal document. */
export interface LegalAcceptanceRow {
  readonly id: string;
  readonly organization_id: string;
  readonly user_id: string;
  /** JSON: a text. */
  readonly document: string;
  /** JSON: a text. */
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly accepted_at: number;
}

/** What a retry with the same idempotency key is answered. */
export interface KeptAnswerRow {
  readonly organization_id: string;
  readonly operation: string;
  readonly key: string;
  /** Of what was asked for. */
  readonly fingerprint: string;
  /** JSON: the payload, or the refusal. */
  readonly answer: string;
  readonly kept_until: number;
}

/** A secret of the servers themselves. */
export interface ServerSecretRow {
  readonly name: string;
  /** Base64. */
  readonly value: string;
}
