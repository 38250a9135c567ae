import { type Kysely, sql } from "kysely";
import { engineOf } from "../engine/engine-of.ts";

/** Stands for all endpoints, or all event types, and for the one period that holds every instant. */
export const every = { endpoint: "", type: "", period: 0 } as const;

/**
 * Lengths of the periods that attempts are counted in, in milliseconds, longest first; each begins at a multiple of its
 * length. Days keep a count over months short; what is attempted in ten minutes can be counted one by one.
 */
export const periods: readonly [number, number] = [86_400_000, 600_000];

const key = "organization_id, endpoint_id, event_type, period, starts_at, outcome, response_status";

/**
 * How many attempts there are, in the transaction of their records: of each outcome and status, in all and in each
 * period, for the organization, for each event type, for each endpoint, and for each type at each endpoint. The
 * database keeps these numbers itself, so that nobody can add or delete a record without them, be it an older server.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db);
  const table = db.schema
    .createTable("attempt_counts")
    .addColumn("organization_id", "varchar(36)", (column) => column.notNull())
    .addColumn("endpoint_id", "varchar(36)", (column) => column.notNull())
    .addColumn("event_type", "text", (column) => column.notNull())
    .addColumn("period", "bigint", (column) => column.notNull())
    .addColumn("starts_at", "bigint", (column) => column.notNull())
    .addColumn("outcome", "text", (column) => column.notNull())
    .addColumn("response_status", "integer", (column) => column.notNull())
    .addColumn("attempts", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("attempt_counts_of_group", [
      "organization_id",
      "endpoint_id",
      "event_type",
      "period",
      "starts_at",
      "outcome",
      "response_status",
    ]);
  // Counts change often and in place: SQLite keeps them in the key's own tree, PostgreSQL leaves room beside them.
  await table.modifyEnd(engine === "sqlite" ? sql`without rowid` : sql`with (fillfactor = 70)`).execute();
  // The triggers come first: PostgreSQL lets nobody write to a table that gets one until the transaction ends. An older
  // server that still runs records attempts either before that, and they are counted here, or after it, by the triggers.
  for (const statement of triggers[engine]) await sql.raw(statement).execute(db);
  await sql.raw(counting("delivery_attempts", 1)).execute(db);
}

/** Each attempt of `source` once for each number that it is part of. */
const parts = (source: string): string => `
  select organization_id,
    case by_endpoint when 1 then endpoint_id else '${every.endpoint}' end as endpoint_id,
    case by_type when 1 then event_type else '${every.type}' end as event_type,
    period,
    case period when ${every.period} then 0 else occurred_at - ((occurred_at % period) + period) % period end as starts_at,
    outcome, response_status
  from ${source}
  cross join (select 0 as by_endpoint union all select 1) as endpoints
  cross join (select 0 as by_type union all select 1) as types
  cross join (${[every.period, ...periods].map((period) => `select ${period} as period`).join(" union all ")}) as lengths`;

/** In the order of the key, so that no two transactions wait for each other's rows. */
const counting = (source: string, sign: 1 | -1): string => `
  insert into attempt_counts (${key}, attempts)
  select ${key}, ${sign} * count(*) from (${parts(source)}) as parts
  where true group by ${key} order by ${key}
  on conflict (${key}) do update set attempts = attempt_counts.attempts + excluded.attempts`;

const forgetting = (source: string): string =>
  `delete from attempt_counts where attempts = 0 and (${key}) in (select ${key} from (${parts(source)}) as parts)`;

const columns = ["organization_id", "endpoint_id", "event_type", "occurred_at", "outcome", "response_status"];

const oneRow = (row: "new" | "old"): string =>
  `(select ${columns.map((column) => `${row}.${column} as ${column}`).join(", ")}) as ${row}_row`;

const triggers = {
  sqlite: [
    `create trigger delivery_attempts_added after insert on delivery_attempts begin ${counting(oneRow("new"), 1)}; end`,
    `create trigger delivery_attempts_removed after delete on delivery_attempts begin
      ${counting(oneRow("old"), -1)}; ${forgetting(oneRow("old"))}; end`,
  ],
  postgresql: [
    `create function count_added_attempts() returns trigger language plpgsql as $$
      begin ${counting("added", 1)}; return null; end $$`,
    `create trigger delivery_attempts_added after insert on delivery_attempts
      referencing new table as added for each statement execute function count_added_attempts()`,
    `create function count_removed_attempts() returns trigger language plpgsql as $$
      begin ${counting("removed", -1)}; ${forgetting("removed")}; return null; end $$`,
    `create trigger delivery_attempts_removed after delete on delivery_attempts
      referencing old table as removed for each statement execute function count_removed_attempts()`,
  ],
} as const;
