import { type Kysely, sql } from "kysely";

/** One queue for work of every kind, in place of that of deliveries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("job_partitions")
    .addColumn("id", "varchar(80)", (column) => column.primaryKey())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("manual", "integer", (column) => column.notNull())
    .addColumn("look_at", "bigint")
    .execute();
  await db.schema
    .createIndex("job_partitions_by_organization")
    .on("job_partitions")
    .column("organization_id")
    .execute();
  // Holds what waits for its time and nothing else, so that a claim costs what is due.
  await db.schema
    .createIndex("job_partitions_to_look_at")
    .on("job_partitions")
    .columns(["look_at"])
    .where("look_at", "is not", null)
    .execute();

  await db.schema
    .createTable("jobs")
    .addColumn("id", "varchar(36)", (column) => column.primaryKey())
    .addColumn("partition_id", "varchar(80)", (column) => column.notNull())
    .addColumn("event_id", "varchar(40)", (column) => column.references("events.id").onDelete("cascade"))
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("due_at", "bigint", (column) => column.notNull())
    .addColumn("lease", "text")
    .addColumn("lease_until", "bigint")
    .addColumn("forced", "text")
    .execute();
  await db.schema.createIndex("jobs_by_event").on("jobs").column("event_id").execute();
  await db.schema.createIndex("jobs_by_due").on("jobs").columns(["partition_id", "due_at", "id"]).execute();
  // Counts what is under lease without looking at all that waits.
  await db.schema
    .createIndex("jobs_by_lease")
    .on("jobs")
    .columns(["partition_id", "lease_until"])
    .where("lease_until", "is not", null)
    .execute();

  await sql`insert into job_partitions (id, kind, organization_id, manual, look_at)
    select webhook_endpoints.id, 'delivery', organization_id,
      case when manual_clock is null then 0 else 1 end, case when manual_clock is null then 0 end
    from webhook_endpoints join organizations on organizations.id = organization_id
    where webhook_endpoints.id in (select endpoint_id from deliveries)`.execute(db);
  await sql`insert into jobs (id, partition_id, event_id, attempts, due_at, lease, lease_until, forced)
    select id, endpoint_id, event_id, attempts, due_at, lease, lease_until, forced from deliveries`.execute(db);
  await db.schema.dropTable("deliveries").execute();
}
