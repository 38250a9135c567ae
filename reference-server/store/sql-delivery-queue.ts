import { type Kysely, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { DeliveryAttempt } from "../domain/delivery.ts";
import type { Claim, DeliveryQueue, DueClaim, NextClaim, NextClaimed } from "../domain/delivery-queue.ts";
import type { RowLocks } from "./row-locks.ts";
import { type HeldEndpoint, lease } from "./sql-leases.ts";
import type { DeliveryRow, Tables } from "./tables.ts";
import { rowOfAttempt } from "./webhook-rows.ts";

/** Endpoints that one statement looks into; engines bound how many parts a statement may have. */
const mostParts = 100;

/*
 * What is due is looked for endpoint by endpoint: one whose receiver hangs, or that is switched off, may have any
 * number of deliveries waiting, and none of them stands in the way of others. Whoever takes deliveries of an endpoint
 * holds its row while it counts and takes, so that its bound is kept by all processes together; one that finds it held
 * leaves it to the other.
 */
export class SqlDeliveryQueue implements DeliveryQueue {
  readonly #db: Kysely<Tables>;
  readonly #locks: RowLocks;

  constructor(db: Kysely<Tables>, locks: RowLocks) {
    this.#db = db;
    this.#locks = locks;
  }

  async claimDue(claim: DueClaim): Promise<readonly Claim[]> {
    const ids = await endpointsWithDue(this.#db, claim);
    if (ids.length === 0) return [];
    return this.#db.transaction().execute(async (db) => {
      const endpoints = await this.#locks.free(activeEndpoints(db).where("id", "in", ids)).execute();
      const due = await this.#dueAt(db, endpoints, claim);
      const longestDue = due.toSorted((one, other) => one.due_at - other.due_at).slice(0, claim.most);
      return lease(db, longestDue, endpoints, { mode: "real" }, claim);
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
      const active = activeEndpoints(db).where("organization_id", "=", organizationId);
      const endpoints = await this.#locks.held(active).execute();
      const next = await nextDue(db, organizationId, until);
      const at = Math.max(clock, next ?? until);
      if (at > clock)
        await db.updateTable("organizations").set({ manual_clock: at }).where("id", "=", organizationId).execute();
      if (next === null) return { kind: "none" };
      const ids = endpoints.map(({ id }) => id);
      const due = unleased(db, 1, now).where("endpoint_id", "in", ids).where("due_at", "=", next).limit(most);
      const claims = await lease(db, await this.#locks.free(due).execute(), endpoints, { mode: "manual", at }, claim);
      return claims.length === 0 ? { kind: "held" } : { kind: "claimed", claims };
    });
  }

  async settle({ delivery, lease }: Claim, attempt: DeliveryAttempt, nextDueAt: number | null): Promise<boolean> {
    return this.#db.transaction().execute(async (db) => {
      const isMine = heldWith(delivery.id, lease);
      const settled = await (nextDueAt === null
        ? db.deleteFrom("deliveries").where(isMine).returning("id").executeTakeFirst()
        : dueAgain(db, nextDueAt).where(isMine).returning("id").executeTakeFirst());
      if (!settled) return false;
      await db.insertInto("delivery_attempts").values(rowOfAttempt(attempt)).execute();
      return true;
    });
  }

  /** What is due at these endpoints, of each up to its bound. */
  async #dueAt(
    db: Kysely<Tables>,
    endpoints: readonly HeldEndpoint[],
    { now, most, mostPerEndpoint }: DueClaim,
  ): Promise<readonly DeliveryRow[]> {
    const leased = await leasedAt(db, endpoints, now);
    const found: DeliveryRow[] = [];
    for (let start = 0; start < endpoints.length; start += mostParts) {
      const parts = endpoints.slice(start, start + mostParts).map(({ id }) => {
        const room = Math.min(most, mostPerEndpoint - (leased.get(id) ?? 0));
        const due = unleased(db, 0, now).where("endpoint_id", "=", id).where("due_at", "<=", now);
        return db.selectFrom(this.#locks.free(due.orderBy("due_at").limit(Math.max(0, room))).as("due")).selectAll();
      });
      const [first, ...others] = parts;
      if (first) found.push(...(await first.unionAll(others).execute()));
    }
    return found;
  }
}

/** Those of real clocks that have a delivery due and room for it; the longest due first. */
async function endpointsWithDue(
  db: Kysely<Tables>,
  { now, most, mostPerEndpoint }: DueClaim,
): Promise<readonly string[]> {
  // One look-up for each endpoint that has deliveries waiting, however many it has.
  const { rows } = await sql<{ readonly id: string }>`
    with recursive waiting (id) as (
      select * from (select endpoint_id from deliveries where manual = 0 order by endpoint_id limit 1) as first
      union all
      select (
        select endpoint_id from deliveries where manual = 0 and endpoint_id > waiting.id order by endpoint_id limit 1)
      from waiting where id is not null),
    due (id, at, leased) as materialized (
      select waiting.id, (
        select due_at from deliveries
        where manual = 0 and endpoint_id = waiting.id and due_at <= ${now}
          and (lease_until is null or lease_until <= ${now})
        order by due_at limit 1), (
        select count(*) from deliveries where endpoint_id = waiting.id and lease_until > ${now})
      from waiting where waiting.id is not null)
    select due.id from due
    join webhook_endpoints on webhook_endpoints.id = due.id
    where due.at is not null and due.leased < ${mostPerEndpoint} and active = 1 and deleted_at is null
    order by due.at limit ${most}`.execute(db);
  return rows.map(({ id }) => id);
}

const activeEndpoints = (db: Kysely<Tables>): SelectQueryBuilder<Tables, "webhook_endpoints", HeldEndpoint> =>
  db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .select(({ selectFrom, fn }) =>
      selectFrom("forced_answers")
        .select(fn.countAll<number>().as("count"))
        .whereRef("endpoint_id", "=", "webhook_endpoints.id")
        .$asScalar()
        .$notNull()
        .as("forced_answers"),
    )
    .where("active", "=", 1)
    .where("deleted_at", "is", null);

const unleased = (db: Kysely<Tables>, manual: 0 | 1, now: number) =>
  db
    .selectFrom("deliveries")
    .selectAll()
    .where("manual", "=", manual)
    .where((is) => is.or([is("lease_until", "is", null), is("lease_until", "<=", now)]));

/** How many deliveries are under lease, by endpoint. */
async function leasedAt(
  db: Kysely<Tables>,
  endpoints: readonly HeldEndpoint[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const ids = endpoints.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("deliveries")
    .select(({ fn }) => ["endpoint_id", fn.countAll<number>().as("count")])
    .where("endpoint_id", "in", ids)
    .where("lease_until", ">", now)
    .groupBy("endpoint_id")
    .execute();
  return new Map(rows.map(({ endpoint_id: id, count }) => [id, count]));
}

/** The earliest instant, up to `until`, at which an organization with a manual clock has a delivery due. */
async function nextDue(db: Kysely<Tables>, organizationId: string, until: number): Promise<number | null> {
  const { rows } = await sql<{ readonly next: number | null }>`
    select min(due_at) as next from (
      select (
        select due_at from deliveries
        where manual = 1 and endpoint_id = webhook_endpoints.id and due_at <= ${until}
        order by due_at limit 1) as due_at
      from webhook_endpoints
      where organization_id = ${organizationId} and active = 1 and deleted_at is null) as due`.execute(db);
  return rows[0]?.next ?? null;
}

const heldWith = (id: string, lease: string) => sql<SqlBool>`id = ${id} and lease = ${lease}`;

const dueAgain = (db: Kysely<Tables>, at: number) =>
  db
    .updateTable("deliveries")
    .set((row) => ({ attempts: row("attempts", "+", 1), due_at: at, lease: null, lease_until: null, forced: null }));
