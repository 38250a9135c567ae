import type { ColumnDefinitionBuilder, Kysely } from "kysely";

/** Endpoints, events, their deliveries, and the records of attempts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("webhook_endpoints")
    .addColumn("id", "varchar(36)", (column) => column.primaryKey())
    .addColumn("organization_id", "varchar(36)", ofOrganization)
    .addColumn("url", "text", notNull)
    .addColumn("events", "text", notNull)
    .addColumn("active", "integer", notNull)
    .addColumn("api_version", "text", notNull)
    .addColumn("secret", "text", notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("updated_at", "bigint", notNull)
    .addColumn("deleted_at", "bigint")
    .execute();
  await index(db, "webhook_endpoints", "organization", ["organization_id", "deleted_at"]);

  await db.schema
    .createTable("events")
    .addColumn("id", "varchar(40)", (column) => column.primaryKey())
    .addColumn("organization_id", "varchar(36)", ofOrganization)
    .addColumn("type", "text", notNull)
    .addColumn("data", "text", notNull)
    .addColumn("created_at", "bigint", notNull)
    .execute();
  await index(db, "events", "age", ["organization_id", "created_at"]);

  await db.schema
    .createTable("deliveries")
    .addColumn("id", "varchar(36)", (column) => column.primaryKey())
    .addColumn("event_id", "varchar(40)", (column) => column.notNull().references("events.id").onDelete("cascade"))
    .addColumn("endpoint_id", "varchar(36)", notNull)
    .addColumn("manual", "integer", notNull)
    .addColumn("attempts", "integer", notNull)
    .addColumn("due_at", "bigint", notNull)
    .addColumn("lease", "text")
    .addColumn("lease_until", "bigint")
    .addColumn("forced", "text")
    .execute();
  await index(db, "deliveries", "event", ["event_id"]);
  await index(db, "deliveries", "due", ["manual", "endpoint_id", "due_at"]);
  // Counts what is under lease without looking at all that waits.
  await db.schema
    .createIndex("deliveries_by_lease")
    .on("deliveries")
    .columns(["endpoint_id", "lease_until"])
    .where("lease_until", "is not", null)
    .execute();

  await db.schema
    .createTable("delivery_attempts")
    .addColumn("id", "varchar(36)", (column) => column.primaryKey())
    .addColumn("organization_id", "varchar(36)", notNull)
    .addColumn("delivery_id", "varchar(36)", notNull)
    .addColumn("endpoint_id", "varchar(36)", notNull)
    .addColumn("event_id", "varchar(40)", notNull)
    .addColumn("event_type", "text", notNull)
    .addColumn("url", "text", notNull)
    .addColumn("attempt", "integer", notNull)
    .addColumn("outcome", "text", notNull)
    .addColumn("response_status", "integer", notNull)
    .addColumn("response_time_ms", "bigint", notNull)
    .addColumn("request_body_sha256", "text", notNull)
    .addColumn("request_body_bytes", "bigint", notNull)
    .addColumn("response_body_excerpt", "text", notNull)
    .addColumn("request_headers", "text", notNull)
    .addColumn("error", "text")
    .addColumn("occurred_at", "bigint", notNull)
    .execute();
  // One for each set of filters that the feed tells apart; `attempt-groups.ts` says how they are used.
  const [time, result] = [
    ["occurred_at", "id"],
    ["outcome", "response_status"],
  ] as const;
  await index(db, "delivery_attempts", "time", ["organization_id", ...time]);
  await index(db, "delivery_attempts", "result", ["organization_id", ...result, ...time]);
  await index(db, "delivery_attempts", "type", ["organization_id", "event_type", ...result, ...time]);
  const byEndpoint = ["organization_id", "endpoint_id", "event_type", ...result, ...time];
  await index(db, "delivery_attempts", "endpoint", byEndpoint);

  await db.schema
    .createTable("replays")
    .addColumn("id", "varchar(36)", (column) => column.primaryKey())
    .addColumn("organization_id", "varchar(36)", ofOrganization)
    .addColumn("attempt_id", "varchar(36)", notNull)
    .addColumn("event_id", "varchar(40)", notNull)
    .addColumn("reason", "text")
    .addColumn("requested_by", "text", notNull)
    .addColumn("requested_at", "bigint", notNull)
    .execute();
  await index(db, "replays", "organization", ["organization_id"]);

  await db.schema
    .createTable("forced_answers")
    .addColumn("endpoint_id", "varchar(36)", (column) =>
      column.notNull().references("webhook_endpoints.id").onDelete("cascade"),
    )
    .addColumn("position", "integer", notNull)
    .addColumn("answer", "text", notNull)
    .addColumn("repeats", "integer", notNull)
    .addPrimaryKeyConstraint("forced_answers_in_order", ["endpoint_id", "position"])
    .execute();

  await db.schema
    .createTable("organization_secrets")
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.primaryKey().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("current", "text", notNull)
    .addColumn("previous", "text", notNull)
    .execute();
  await db.schema
    .createTable("server_secrets")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", notNull)
    .execute();
}

const notNull = (column: ColumnDefinitionBuilder) => column.notNull();

const ofOrganization = (column: ColumnDefinitionBuilder) =>
  column.notNull().references("organizations.id").onDelete("cascade");

async function index(db: Kysely<unknown>, table: string, what: string, columns: string[]): Promise<void> {
  await db.schema.createIndex(`${table}_by_${what}`).on(table).columns(columns).execute();
}
