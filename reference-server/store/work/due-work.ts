import { type Kysely, sql } from "kysely";
import type { OrganizationClock } from "../../domain/clock.ts";
import { dealPlaces, withoutShare } from "../../domain/work/deal-places.ts";
import type {
  Claim,
  DueClaim,
  DueClaimed,
  DueWorkQueue,
  Lease,
  NextClaim,
  NextClaimed,
  Settled,
  Settlement,
} from "../../domain/work/due-work.ts";
import type { RowLocks } from "../engine/row-locks.ts";
import type { JobPartitionRow, JobRow, Tables } from "../tables.ts";
import { lookAgain, raiseLook } from "./partitions.ts";
import type { LoadedJob, OpenedPartitions, SqlWorkKind } from "./work-kind.ts";

type Kinds = Readonly<Record<string, SqlWorkKind>>;

/*
 * A partition's row says when it is worth looking into: a claim finds those by an index and touches no others, however
 * much waits for its time, for room, or for a switch. Whoever claims from a partition holds its row while it counts and
 * takes, so that its bound is kept by all processes together; one that finds it held leaves it to the other.
 *
 * Whoever settles changes jobs first and partitions behind them, as does the deletion of an organization. A claim goes
 * the other way, so it never waits for either.
 */
export class SqlDueWork implements DueWorkQueue {
  readonly #db: Kysely<Tables>;
  readonly #locks: RowLocks;
  readonly #kinds: Kinds;

  constructor(db: Kysely<Tables>, locks: RowLocks, kinds: Kinds) {
    this.#db = db;
    this.#locks = locks;
    this.#kinds = kinds;
  }

  async claimDue(claim: DueClaim): Promise<DueClaimed> {
    const { now, most, mostPerPartition, taken } = claim;
    const full = withoutShare(most, taken);
    const ready = await readyPartitions(this.#db, Object.keys(this.#kinds), claim, full);
    if (ready.length === 0) return { claims: [], moreDue: full.length > 0, someHeld: false };
    return this.#db.transaction().execute(async (db) => {
      const partitions = db.selectFrom("job_partitions").selectAll().where("id", "in", ready);
      const held = await this.#locks.free(partitions).execute();
      const opened = await this.#open(db, held, "leave");
      const due = await this.#due(db, opened.open, claim);
      const organizations = new Map(held.map(({ id, organization_id }) => [id, organization_id]));
      const wanted = due.map((job) => ({ job, organizationId: organizations.get(job.partition_id) ?? "" }));
      const dealt = dealPlaces(wanted, most, taken).map(({ job }) => job);
      const claims = await this.#lease(db, dealt, opened, { mode: "real" }, claim);
      const isLeft = (await raiseLook(db, opened, now, mostPerPartition)) <= now;
      const moreDue = full.length > 0 || ready.length >= most || dealt.length < due.length;
      const isHeld = opened.open.length + opened.closed.length < ready.length;
      return { claims, moreDue, someHeld: isHeld || (isLeft && !moreDue) };
    });
  }

  async claimNext(claim: NextClaim): Promise<NextClaimed> {
    const { organizationId, until, now, most } = claim;
    return this.#db.transaction().execute(async (db) => {
      const organization = db.selectFrom("organizations").select("manual_clock").where("id", "=", organizationId);
      const { manual_clock: clock } = (await this.#locks.held(organization).executeTakeFirst()) ?? {
        manual_clock: null,
      };
      if (clock === null) return { kind: "none" };
      const partitions = db.selectFrom("job_partitions").selectAll().where("organization_id", "=", organizationId);
      const opened = await this.#open(db, await partitions.execute(), "wait");
      const next = await nextDue(db, opened.open, until);
      const at = Math.max(clock, next ?? until);
      if (at > clock)
        await db.updateTable("organizations").set({ manual_clock: at }).where("id", "=", organizationId).execute();
      if (next === null) return { kind: "none" };
      const due = db
        .selectFrom("jobs")
        .selectAll()
        .where("partition_id", "in", opened.open)
        .where("due_at", "=", next)
        .where((is) => is.or([is("lease_until", "is", null), is("lease_until", "<=", now)]))
        .limit(most);
      const free = await this.#locks.free(due).execute();
      const claims = await this.#lease(db, free, opened, { mode: "manual", at }, claim);
      return claims.length === 0 ? { kind: "held" } : { kind: "claimed", claims };
    });
  }

  async settle(settlements: readonly Settlement[]): Promise<Settled> {
    const organizations = new Set(settlements.map(({ claim }) => claim.organizationId));
    return this.#db.transaction().execute(async (db) => {
      // Whoever holds one organization's work must not hold up that of others: they come again without it.
      if (organizations.size > 1) await this.#locks.hurry(db);
      const over = await deleteHeld(db, settlements.filter(({ nextDueAt }) => nextDueAt === null).map(heldJob));
      const again = await postponeHeld(db, settlements.filter(({ nextDueAt }) => nextDueAt !== null).map(heldJob));
      const settled = new Map([...over, ...again].map(({ id, partition_id }) => [id, partition_id]));
      const written = settlements.map(({ claim }) => settled.has(claim.delivery.id));
      if (settled.size === 0) return { written, lookAt: null };
      const recorded = settlements.filter((_, index) => written[index]);
      for (const [kind, ofKind] of Map.groupBy(recorded, ({ claim }) => claim.kind))
        await this.#kinds[kind]?.record(db, ofKind);
      return { written, lookAt: await lookAgain(db, this.#locks, [...new Set(settled.values())]) };
    });
  }

  /** Opens partitions by their kinds. */
  async #open(
    db: Kysely<Tables>,
    partitions: readonly JobPartitionRow[],
    ifHeld: "wait" | "leave",
  ): Promise<OpenedPartitions> {
    const kindOf = new Map(partitions.map(({ id, kind }) => [id, kind]));
    const opened = new Map<string, OpenedPartitions>();
    for (const [kind, ofKind] of Map.groupBy(partitions, ({ kind }) => kind)) {
      const ids = ofKind.map(({ id }) => id);
      const of = await this.#kinds[kind]?.open(db, ids, ifHeld);
      if (of !== undefined) opened.set(kind, of);
    }
    return {
      open: [...opened.values()].flatMap(({ open }) => open),
      closed: [...opened.values()].flatMap(({ closed }) => closed),
      async load(jobs, clock, lease) {
        const loaded: LoadedJob[] = [];
        for (const [kind, ofKind] of Map.groupBy(jobs, (job) => kindOf.get(job.partition_id) ?? ""))
          loaded.push(...((await opened.get(kind)?.load(ofKind, clock, lease)) ?? []));
        return loaded;
      },
    };
  }

  /** What is due and under no lease, the longest due first, of each partition up to its bound. */
  async #due(
    db: Kysely<Tables>,
    open: readonly string[],
    { now, most, mostPerPartition }: DueClaim,
  ): Promise<readonly JobRow[]> {
    if (open.length === 0) return [];
    // One look-up for each place: what waits behind them is not looked at.
    const places = Array.from({ length: Math.min(most, mostPerPartition) }, (_, nth) => {
      return sql`select (
        select id from jobs
        where partition_id = room.id and due_at <= ${now} and (lease_until is null or lease_until <= ${now})
        order by due_at, id limit 1 offset ${sql.lit(nth)}) from room where places > ${sql.lit(nth)}`;
    });
    const firstOnes = sql<string>`(
      with room (id, places) as materialized (
        select id, ${mostPerPartition} - (
          select count(*) from jobs where partition_id = job_partitions.id and lease_until > ${now})
        from job_partitions where id in (${sql.join(open)}))
      ${sql.join(places, sql` union all `)})`;
    const due = db.selectFrom("jobs").selectAll().where("id", "in", firstOnes).orderBy("due_at");
    return this.#locks.free(due).execute();
  }

  async #lease(
    db: Kysely<Tables>,
    jobs: readonly JobRow[],
    opened: OpenedPartitions,
    clock: OrganizationClock,
    lease: Lease,
  ): Promise<readonly Claim[]> {
    if (jobs.length === 0) return [];
    const loaded = await opened.load(jobs, clock, lease);
    const taken = { lease: lease.lease, lease_until: lease.leaseUntil };
    const unforced = loaded.filter(({ forced }) => forced === null).map(({ id }) => id);
    if (unforced.length > 0) await db.updateTable("jobs").set(taken).where("id", "in", unforced).execute();
    // One change of each row: at a second one PostgreSQL would lock the event, out of turn.
    for (const { id, forced } of loaded.filter(({ forced }) => forced !== null))
      await db
        .updateTable("jobs")
        .set({ ...taken, forced })
        .where("id", "=", id)
        .execute();
    return loaded.map(({ claim }) => claim);
  }
}

/** Those worth looking into, in turn of one organization and the next; of each those that have been so longest. */
async function readyPartitions(
  db: Kysely<Tables>,
  kinds: readonly string[],
  { now, most }: DueClaim,
  full: readonly string[],
): Promise<readonly string[]> {
  const others = full.length === 0 ? sql`` : sql`and organization_id not in (${sql.join(full)})`;
  const { rows } = await sql<{ readonly id: string }>`
    select id from (
      select id, look_at, row_number() over (partition by organization_id order by look_at, id) as turn
      from job_partitions
      where look_at <= ${now} and kind in (${sql.join(kinds)}) ${others}) as ready
    order by turn, look_at limit ${most}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The earliest instant, up to `until`, at which something is due in these partitions. */
async function nextDue(db: Kysely<Tables>, partitions: readonly string[], until: number): Promise<number | null> {
  if (partitions.length === 0) return null;
  const { rows } = await sql<{ readonly next: number | null }>`
    select min(due_at) as next from (
      select (
        select due_at from jobs where partition_id = job_partitions.id and due_at <= ${until}
        order by due_at limit 1) as due_at
      from job_partitions where id in (${sql.join(partitions)})) as due`.execute(db);
  return rows[0]?.next ?? null;
}

interface HeldJob {
  readonly id: string;
  readonly lease: string;
  readonly nextDueAt: number | null;
}

const heldJob = ({ claim, nextDueAt }: Settlement): HeldJob => ({
  id: claim.delivery.id,
  lease: claim.lease,
  nextDueAt,
});

type SettledJob = Pick<JobRow, "id" | "partition_id">;

async function deleteHeld(db: Kysely<Tables>, held: readonly HeldJob[]): Promise<readonly SettledJob[]> {
  if (held.length === 0) return [];
  const rows = sql.join(held.map(({ id, lease }) => sql`(${id}, ${lease})`));
  const { rows: deleted } = await sql<SettledJob>`
    delete from jobs where (id, lease) in (values ${rows}) returning id, partition_id`.execute(db);
  return deleted;
}

async function postponeHeld(db: Kysely<Tables>, held: readonly HeldJob[]): Promise<readonly SettledJob[]> {
  if (held.length === 0) return [];
  const rows = sql.join(held.map(({ id, lease, nextDueAt }) => sql`(${id}, ${lease}, ${nextDueAt})`));
  const { rows: postponed } = await sql<SettledJob>`
    update jobs set attempts = attempts + 1, due_at = cast(again.column3 as bigint),
      lease = null, lease_until = null, forced = null
    from (values ${rows}) as again
    where jobs.id = again.column1 and jobs.lease = again.column2
    returning jobs.id, jobs.partition_id`.execute(db);
  return postponed;
}
