import { sql } from "kysely";
import { columns } from "../columns.ts";
import type { JobPartitionRow, JobRow } from "../delivery-tables.ts";
import { type Connection, type Given, insertion, insertRows, statement } from "../engine/statement.ts";
import type { OpenedPartitions } from "./work-kind.ts";

/** Jobs deleted by one statement: others wait for it no longer than for any. */
const batch = 500;

export interface NewJob extends Pick<JobRow, "id" | "event_id" | "message_id" | "due_at"> {
  readonly partition: Pick<JobPartitionRow, "id" | "kind" | "organization_id" | "manual">;
}

const insertJobs = insertion("jobs", columns.jobs);

const putPartitions = statement(
  (_, given: Given<{ readonly rows: readonly JobPartitionRow[] }>, engine) => sql`
    ${insertRows("job_partitions", columns.job_partitions, given("rows"), engine)}
    on conflict (id) do update set look_at = excluded.look_at
    where job_partitions.look_at is null or job_partitions.look_at > excluded.look_at`,
);

/** Puts jobs into the queue, each of another partition. */
export async function addJobs(on: Connection, jobs: readonly NewJob[]): Promise<void> {
  const unheld = { attempts: 0, lease: null, lease_until: null, forced: null };
  await insertJobs.run(on, {
    rows: jobs.map(({ partition, ...job }) => ({ ...job, ...unheld, partition_id: partition.id })),
  });
  // Everybody who holds several partitions takes them in this order.
  const rows = jobs
    .map(({ partition, due_at }) => ({ ...partition, look_at: partition.manual === 1 ? null : due_at }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  await putPartitions.run(on, { rows });
}

const lookNow = statement((db, given: Given<{ readonly id: string }>) =>
  db.updateTable("job_partitions").set({ look_at: 0 }).where("id", "=", given("id")).where("manual", "=", 0),
);

/** Has what waits in a partition looked for again. */
export async function reopenPartition(on: Connection, id: string): Promise<void> {
  await lookNow.run(on, { id });
}

const deleteWaiting = statement((db, given: Given<{ readonly partitionId: string }>, { free }) =>
  db
    .deleteFrom("jobs")
    .where(
      "id",
      "in",
      free(
        db
          .selectFrom("jobs")
          .select("id")
          .where("partition_id", "=", given("partitionId"))
          .where("lease", "is", null)
          .limit(batch),
      ),
    ),
);

/**
 * Deletes what waits in a partition that is closed for ever. Nobody claims it any more, so what is left over when the
 * process ends now only waits until what it is about is no longer retained. What is under lease stays, for its record.
 */
export async function dropWaiting(on: Connection, partitionId: string): Promise<void> {
  for (let dropped = batch; dropped === batch; ) dropped = await deleteWaiting.run(on, { partitionId });
}

const lookNoMore = statement((db, given: Given<{ readonly ids: readonly string[] }>, { isOneOf }) =>
  db
    .updateTable("job_partitions")
    .set({ look_at: null })
    .where(isOneOf("id", given("ids"))),
);

const lookWhenDue = statement(
  (
    _,
    given: Given<{ readonly ids: readonly string[]; readonly now: number; readonly mostPerPartition: number }>,
    { isOneOf },
  ) => {
    const now = given("now");
    const leaseEnd = sql`select min(lease_until) as at from jobs where partition_id = job_partitions.id and lease_until > ${now}`;
    const firstWaiting = sql`select due_at as at from jobs
      where partition_id = job_partitions.id and (lease_until is null or lease_until <= ${now}) order by due_at limit 1`;
    return sql<Pick<JobPartitionRow, "look_at">>`
      update job_partitions set look_at = case
        when (select count(*) from jobs where partition_id = job_partitions.id and lease_until > ${now})
          >= ${given("mostPerPartition")} then (${leaseEnd})
        else (select min(at) from (${leaseEnd} union all select at from (${firstWaiting}) as waiting) as coming) end
      where ${isOneOf("id", given("ids"))}
      returning look_at`;
  },
);

/**
 * Says, after a claim, when these partitions are worth looking into again, and gives the earliest of these times;
 * infinity when there is none. Whoever calls holds them.
 */
export async function raiseLook(
  on: Connection,
  { open, closed }: Pick<OpenedPartitions, "open" | "closed">,
  now: number,
  mostPerPartition: number,
): Promise<number> {
  if (closed.length > 0) await lookNoMore.run(on, { ids: closed });
  if (open.length === 0) return Number.POSITIVE_INFINITY;
  const rows = await lookWhenDue.rows(on, { ids: open, now, mostPerPartition });
  return Math.min(...rows.map(({ look_at }) => look_at ?? Number.POSITIVE_INFINITY));
}

const lookEarlier = statement((db, given: Given<{ readonly ids: readonly string[] }>, { held, isOneOf }) => {
  const partitions = db
    .selectFrom("job_partitions")
    .select("id")
    .where(isOneOf("id", given("ids")))
    .orderBy("id");
  const waiting = sql`(
    select due_at from jobs where partition_id = job_partitions.id and lease_until is null order by due_at limit 1)`;
  return sql<Pick<JobPartitionRow, "look_at">>`
    update job_partitions set look_at = ${waiting}
    where id in (${held(partitions)}) and manual = 0
      and ${waiting} < coalesce(look_at, ${sql.lit(Number.MAX_SAFE_INTEGER)})
    returning look_at`;
});

/** Has what waits in these partitions looked for again, since there is more room. Gives the earliest time to do so. */
export async function lookAgain(on: Connection, ids: readonly string[]): Promise<number | null> {
  const rows = await lookEarlier.rows(on, { ids });
  const times = rows.flatMap(({ look_at }) => look_at ?? []);
  return times.length === 0 ? null : Math.min(...times);
}
