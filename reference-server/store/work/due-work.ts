import { sql } from "kysely";
import type { OrganizationClock } from "../../domain/clock.ts";
import { dealPlaces, withoutShare } from "../../domain/work/deal-places.ts";
import {
  type Claim,
  type DueClaim,
  type DueClaimed,
  type DueWorkQueue,
  type Lease,
  type NextClaim,
  type NextClaimed,
  type Settled,
  type Settlement,
  workIdOf,
} from "../../domain/work/due-work.ts";
import { columns } from "../columns.ts";
import type { JobPartitionRow, JobRow } from "../delivery-tables.ts";
import { type Connection, type Given, inTransaction, perShape, statement } from "../engine/statement.ts";
import { findOrganization, moveClock } from "../organizations/organizations.ts";
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
  readonly #on: Connection;
  readonly #kinds: Kinds;

  constructor(on: Connection, kinds: Kinds) {
    this.#on = on;
    this.#kinds = kinds;
  }

  async claimDue(claim: DueClaim): Promise<DueClaimed> {
    const { now, most, mostPerPartition, taken } = claim;
    const full = withoutShare(most, taken);
    const of = { now, most, kinds: Object.keys(this.#kinds), full };
    const ready = (await selectReady.rows(this.#on, of)).map(({ id }) => id);
    if (ready.length === 0) return { claims: [], moreDue: full.length > 0, someHeld: false };
    return inTransaction(this.#on, async (on) => {
      const held = await holdPartitions.rows(on, { ids: ready });
      const opened = await this.#open(on, held, "leave");
      const due = await holdDue(mostPerPartition).rows(on, { ids: opened.open, now });
      const organizations = new Map(held.map(({ id, organization_id }) => [id, organization_id]));
      const wanted = due.map((job) => ({ job, organizationId: organizations.get(job.partition_id) ?? "" }));
      const dealt = dealPlaces(wanted, most, taken).map(({ job }) => job);
      const claims = await lease(on, dealt, opened, { mode: "real" }, claim);
      const isLeft = (await raiseLook(on, opened, now, mostPerPartition)) <= now;
      const moreDue = full.length > 0 || ready.length >= most || dealt.length < due.length;
      const isHeld = opened.open.length + opened.closed.length < ready.length;
      return { claims, moreDue, someHeld: isHeld || (isLeft && !moreDue) };
    });
  }

  async claimNext(claim: NextClaim): Promise<NextClaimed> {
    const { organizationId, until, now, most } = claim;
    return inTransaction(this.#on, async (on) => {
      const organization = await findOrganization(on, organizationId, "held");
      if (organization?.clock.mode !== "manual") return { kind: "none" };
      const { at: clock } = organization.clock;
      const opened = await this.#open(on, await selectPartitions.rows(on, { organizationId }), "wait");
      const next = (await firstInstant.first(on, { ids: opened.open, until }))?.next ?? null;
      const at = Math.max(clock, next ?? until);
      if (at > clock) await moveClock(on, organizationId, at);
      if (next === null) return { kind: "none" };
      const free = await holdDueAt.rows(on, { ids: opened.open, at: next, now, most });
      const claims = await lease(on, free, opened, { mode: "manual", at }, claim);
      return claims.length === 0 ? { kind: "held" } : { kind: "claimed", claims };
    });
  }

  async settle(settlements: readonly Settlement[]): Promise<Settled> {
    const organizations = new Set(settlements.map(({ claim }) => claim.organizationId));
    return inTransaction(this.#on, async (on) => {
      // Whoever holds one organization's work must not hold up that of others: they come again without it.
      if (organizations.size > 1) await on.engine.hurry(on.db);
      const over = settlements.filter(({ nextDueAt }) => nextDueAt === null).map(heldJob);
      const again = settlements.filter(({ nextDueAt }) => nextDueAt !== null).map(heldJob);
      const changed = [
        ...(over.length === 0 ? [] : await deleteHeld.rows(on, { held: over })),
        ...(again.length === 0 ? [] : await postponeHeld.rows(on, { held: again })),
      ];
      const settled = new Map(changed.map(({ id, partition_id }) => [id, partition_id]));
      const written = settlements.map(({ claim }) => settled.has(workIdOf(claim)));
      if (settled.size === 0) return { written, lookAt: null };
      const recorded = settlements.filter((_, index) => written[index]);
      for (const [kind, ofKind] of Map.groupBy(recorded, ({ claim }) => claim.kind))
        await this.#kinds[kind]?.record(on, ofKind);
      return { written, lookAt: await lookAgain(on, [...new Set(settled.values())]) };
    });
  }

  /** Opens partitions by their kinds. */
  async #open(
    on: Connection,
    partitions: readonly JobPartitionRow[],
    ifHeld: "wait" | "leave",
  ): Promise<OpenedPartitions> {
    const kindOf = new Map(partitions.map(({ id, kind }) => [id, kind]));
    const opened = new Map<string, OpenedPartitions>();
    for (const [kind, ofKind] of Map.groupBy(partitions, ({ kind }) => kind)) {
      const ids = ofKind.map(({ id }) => id);
      const of = await this.#kinds[kind]?.open(on, ids, ifHeld);
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
}

/** Has the work done under a lease. Whoever calls holds the jobs. */
async function lease(
  on: Connection,
  jobs: readonly JobRow[],
  opened: OpenedPartitions,
  clock: OrganizationClock,
  { lease, leaseUntil, now }: Lease,
): Promise<readonly Claim[]> {
  if (jobs.length === 0) return [];
  const loaded = await opened.load(jobs, clock, { lease, leaseUntil, now });
  await takeJobs.run(on, { jobs: loaded.map(({ id, forced }) => ({ id, forced })), lease, leaseUntil });
  return loaded.map(({ claim }) => claim);
}

/** Those worth looking into, in turn of one organization and the next; of each those that have been so longest. */
const selectReady = statement(
  (
    _,
    given: Given<{
      readonly now: number;
      readonly most: number;
      readonly kinds: readonly string[];
      /** Organizations that have their share. */
      readonly full: readonly string[];
    }>,
    { isOneOf },
  ) => sql<{ readonly id: string }>`
    select id from (
      select id, look_at, row_number() over (partition by organization_id order by look_at, id) as turn
      from job_partitions
      where look_at <= ${given("now")} and ${isOneOf("kind", given("kinds"))}
        and not ${isOneOf("organization_id", given("full"))}) as ready
    order by turn, look_at limit ${given("most")}`,
);

const holdPartitions = statement((db, given: Given<{ readonly ids: readonly string[] }>, { free, isOneOf }) =>
  free(
    db
      .selectFrom("job_partitions")
      .select(columns.job_partitions)
      .where(isOneOf("id", given("ids"))),
  ),
);

const selectPartitions = statement((db, given: Given<{ readonly organizationId: string }>) =>
  db.selectFrom("job_partitions").select(columns.job_partitions).where("organization_id", "=", given("organizationId")),
);

/** What is due in these partitions and under no lease, the longest due first, of each up to the bound. */
const holdDue = perShape((mostPerPartition: number) =>
  statement((db, given: Given<{ readonly ids: readonly string[]; readonly now: number }>, { free, isOneOf }) => {
    const now = given("now");
    // One look-up for each place: what waits behind them is not looked at.
    const places = Array.from(
      { length: mostPerPartition },
      (_, nth) => sql`select (
        select id from jobs
        where partition_id = room.id and due_at <= ${now} and (lease_until is null or lease_until <= ${now})
        order by due_at, id limit 1 offset ${sql.lit(nth)}) from room where places > ${sql.lit(nth)}`,
    );
    const firstOnes = sql<string>`(
      with room (id, places) as materialized (
        select id, ${sql.lit(mostPerPartition)} - (
          select count(*) from jobs where partition_id = job_partitions.id and lease_until > ${now})
        from job_partitions where ${isOneOf("id", given("ids"))})
      ${sql.join(places, sql` union all `)})`;
    return free(db.selectFrom("jobs").select(columns.jobs).where("id", "in", firstOnes).orderBy("due_at"));
  }),
);

/** The earliest instant, up to `until`, at which something is due in these partitions. */
const firstInstant = statement(
  (_, given: Given<{ readonly ids: readonly string[]; readonly until: number }>, { isOneOf }) => sql<{
    readonly next: number | null;
  }>`
    select min(due_at) as next from (
      select (
        select due_at from jobs where partition_id = job_partitions.id and due_at <= ${given("until")}
        order by due_at limit 1) as due_at
      from job_partitions where ${isOneOf("id", given("ids"))}) as due`,
);

const holdDueAt = statement(
  (
    db,
    given: Given<{
      readonly ids: readonly string[];
      readonly at: number;
      readonly now: number;
      readonly most: number;
    }>,
    { free, isOneOf },
  ) =>
    free(
      db
        .selectFrom("jobs")
        .select(columns.jobs)
        .where(isOneOf("partition_id", given("ids")))
        .where("due_at", "=", given("at"))
        .where((is) => is.or([is("lease_until", "is", null), is("lease_until", "<=", given("now"))]))
        .limit(given("most")),
    ),
);

type TakenJob = Pick<JobRow, "id" | "forced">;

const takeJobs = statement(
  (
    _,
    given: Given<{ readonly jobs: readonly TakenJob[]; readonly lease: string; readonly leaseUntil: number }>,
    { records },
  ) => sql`
    update jobs set lease = ${given("lease")}, lease_until = ${given("leaseUntil")}, forced = taken.forced
    from ${records(given("jobs"), { id: "text", forced: "text" })} as taken
    where jobs.id = taken.id`,
);

interface HeldJob {
  readonly id: string;
  readonly lease: string;
  readonly nextDueAt: number | null;
}

const heldJob = ({ claim, nextDueAt }: Settlement): HeldJob => ({
  id: workIdOf(claim),
  lease: claim.lease,
  nextDueAt,
});

type SettledJob = Pick<JobRow, "id" | "partition_id">;

const deleteHeld = statement(
  (_, given: Given<{ readonly held: readonly HeldJob[] }>, { records }) => sql<SettledJob>`
    delete from jobs where (id, lease) in (
      select id, lease from ${records(given("held"), { id: "text", lease: "text" })} as held)
    returning id, partition_id`,
);

const postponeHeld = statement(
  (_, given: Given<{ readonly held: readonly HeldJob[] }>, { records }) => sql<SettledJob>`
    update jobs set attempts = attempts + 1, due_at = again."nextDueAt", lease = null, lease_until = null, forced = null
    from ${records(given("held"), { id: "text", lease: "text", nextDueAt: "bigint" })} as again
    where jobs.id = again.id and jobs.lease = again.lease
    returning jobs.id, jobs.partition_id`,
);
