import { type Kysely, sql } from "kysely";
import { engineOf } from "../engine/engine-of.ts";

/**
 * Lengths of the periods that metrics are summed up in, in milliseconds, longest first; each begins at a multiple of its
 * length. Days keep sums over years short. By the clock of almost every zone a day begins with a quarter of an hour in
 * UTC, and by that of every one, but for long ago, with a minute.
 */
export const metricPeriods = [86_400_000, 900_000, 60_000] as const;

const key = "organization_id, metric, period, starts_at";

/**
 * What each organization did, summed up for each period in the transaction of the records. The database keeps these sums
 * itself, so that nobody can add a record without them, be it an older server. A record that goes stays counted: it was
 * made.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db);
  const table = db.schema
    .createTable("metric_sums")
    .addColumn("organization_id", "varchar(36)", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("metric", "text", (column) => column.notNull())
    .addColumn("period", "bigint", (column) => column.notNull())
    .addColumn("starts_at", "bigint", (column) => column.notNull())
    .addColumn("amount", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("metric_sums_in_order", ["organization_id", "metric", "period", "starts_at"]);
  // Sums change often and in place: SQLite keeps them in the key's own tree, PostgreSQL leaves room beside them.
  await table.modifyEnd(engine === "sqlite" ? sql`without rowid` : sql`with (fillfactor = 70)`).execute();
  // The triggers come first: what an older server that still runs adds is counted by them or below, and once.
  for (const statement of triggers[engine]) await sql.raw(statement).execute(db);
  await sql.raw(adding("lookups")).execute(db);
}

/** Each lookup of `source` in each period that it lies in. */
const adding = (source: string): string => `
  insert into metric_sums (${key}, amount)
  select ${key}, count(*) from (
    select organization_id, 'lookups' as metric, period,
      looked_up_at - ((looked_up_at % period) + period) % period as starts_at
    from ${source}
    cross join (${metricPeriods.map((period) => `select ${period} as period`).join(" union all ")}) as lengths) as parts
  where true group by ${key} order by ${key}
  on conflict (${key}) do update set amount = metric_sums.amount + excluded.amount`;

const newRow = "(select new.organization_id as organization_id, new.looked_up_at as looked_up_at) as new_row";

const triggers = {
  sqlite: [`create trigger lookups_summed after insert on lookups begin ${adding(newRow)}; end`],
  postgresql: [
    `create function sum_added_lookups() returns trigger language plpgsql as $$
      begin ${adding("added")}; return null; end $$`,
    `create trigger lookups_summed after insert on lookups
      referencing new table as added for each statement execute function sum_added_lookups()`,
  ],
} as const;
