import { type Kysely, sql } from "kysely";
import type { RowLocks } from "../engine/row-locks.ts";
import type { JobPartitionRow, JobRow, Tables } from "../tables.ts";
import type { OpenedPartitions } from "./work-kind.ts";

/** Jobs deleted by one statement: others wait for it no longer than for any. */
const batch = 500;

export interface NewJob extends Pick<JobRow, "id" | "event_id" | "due_at"> {
  readonly partition: Pick<JobPartitionRow, "id" | "kind" | "organization_id" | "manual">;
}

/** Puts jobs into the queue, each of another partition. */
export async function addJobs(db: Kysely<Tables>, jobs: readonly NewJob[]): Promise<void> {
  const rows = jobs.map(({ partition, ...job }) => ({ ...job, partition_id: partition.id, attempts: 0 }));
  await db.insertInto("jobs").values(rows).execute();
  // Everybody who holds several partitions takes them in this order.
  const partitions = jobs
    .map(({ partition, due_at }) => ({ ...partition, look_at: partition.manual === 1 ? null : due_at }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  await db
    .insertInto("job_partitions")
    .values(partitions)
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet({ look_at: sql`excluded.look_at` })
        .where(sql<boolean>`job_partitions.look_at is null or job_partitions.look_at > excluded.look_at`),
    )
    .execute();
}

/** Has what waits in a partition looked for again. */
export async function reopenPartition(db: Kysely<Tables>, id: string): Promise<void> {
  await db.updateTable("job_partitions").set({ look_at: 0 }).where("id", "=", id).where("manual", "=", 0).execute();
}

/**
 * Deletes what waits in a partition that is closed for ever. Nobody claims it any more, so what is left over when the
 * process ends now only waits until what it is about is no longer retained. What is under lease stays, for its record.
 */
export async function dropWaiting(db: Kysely<Tables>, locks: RowLocks, partitionId: string): Promise<void> {
  const waiting = db
    .selectFrom("jobs")
    .select("id")
    .where("partition_id", "=", partitionId)
    .where("lease", "is", null)
    .limit(batch);
  for (let dropped = batch; dropped === batch; ) {
    const { numDeletedRows } = await db.deleteFrom("jobs").where("id", "in", locks.free(waiting)).executeTakeFirst();
    dropped = Number(numDeletedRows);
  }
}

/**
 * Says, after a claim, when these partitions are worth looking into again, and gives the earliest of these times;
 * infinity when there is none. Whoever calls holds them.
 */
export async function raiseLook(
  db: Kysely<Tables>,
  { open, closed }: Pick<OpenedPartitions, "open" | "closed">,
  now: number,
  mostPerPartition: number,
): Promise<number> {
  if (closed.length > 0)
    await db.updateTable("job_partitions").set({ look_at: null }).where("id", "in", closed).execute();
  if (open.length === 0) return Number.POSITIVE_INFINITY;
  const leaseEnd = sql`select min(lease_until) as at from jobs where partition_id = job_partitions.id and lease_until > ${now}`;
  const firstWaiting = sql`select due_at as at from jobs
    where partition_id = job_partitions.id and (lease_until is null or lease_until <= ${now}) order by due_at limit 1`;
  const { rows } = await sql<Pick<JobPartitionRow, "look_at">>`
    update job_partitions set look_at = case
      when (select count(*) from jobs where partition_id = job_partitions.id and lease_until > ${now})
        >= ${mostPerPartition} then (${leaseEnd})
      else (select min(at) from (${leaseEnd} union all select at from (${firstWaiting}) as waiting) as coming) end
    where id in (${sql.join(open)})
    returning look_at`.execute(db);
  return Math.min(...rows.map(({ look_at }) => look_at ?? Number.POSITIVE_INFINITY));
}

/** Has what waits in these partitions looked for again, since there is more room. Gives the earliest time to do so. */
export async function lookAgain(db: Kysely<Tables>, locks: RowLocks, ids: readonly string[]): Promise<number | null> {
  const held = locks.held(db.selectFrom("job_partitions").select("id").where("id", "in", ids).orderBy("id"));
  const waiting = sql`(
    select due_at from jobs where partition_id = job_partitions.id and lease_until is null order by due_at limit 1)`;
  const { rows } = await sql<Pick<JobPartitionRow, "look_at">>`
    update job_partitions set look_at = ${waiting}
    where id in (${held}) and manual = 0 and ${waiting} < coalesce(look_at, ${Number.MAX_SAFE_INTEGER})
    returning look_at`.execute(db);
  const times = rows.flatMap(({ look_at }) => look_at ?? []);
  return times.length === 0 ? null : Math.min(...times);
}
