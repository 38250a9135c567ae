import { type Kysely, sql } from "kysely";
import type { DeliveryAttempt } from "../domain/delivery.ts";
import { passing } from "./attempt-filters.ts";
import { type AttemptGroup, attemptGroups } from "./attempt-groups.ts";
import type { Tables } from "./tables.ts";
import { attemptOf } from "./webhook-rows.ts";
import type { AttemptFilters, AttemptPage, AttemptPosition } from "./webhook-store.ts";

/** Groups that one statement looks into; engines bound how many parts a statement may have. */
const mostGroups = 100;

/** A page of attempts, at a cost that does not grow with their number. */
export async function attemptPage(
  db: Kysely<Tables>,
  organizationId: string,
  filters: AttemptFilters,
  page: AttemptPage,
): Promise<readonly DeliveryAttempt[]> {
  // One instant for all statements; an attempt that comes in between could have others before it hidden.
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (transaction) => {
      const groups = await attemptGroups(transaction, organizationId, filters);
      const found: AttemptPosition[] = [];
      for (let start = 0; start < groups.length; start += mostGroups)
        found.push(...(await newestOf(transaction, groups.slice(start, start + mostGroups), filters, page)));
      const newest = found.toSorted(newestFirst).slice(0, page.limit);
      return attemptsAt(transaction, newest);
    });
}

export async function countAttempts(
  db: Kysely<Tables>,
  organizationId: string,
  filters: AttemptFilters,
): Promise<number> {
  const { count } = await db
    .selectFrom("delivery_attempts")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where(passing(organizationId, filters))
    .executeTakeFirstOrThrow();
  return count;
}

/** Positions of the newest attempts in any of these groups. */
async function newestOf(
  db: Kysely<Tables>,
  groups: readonly AttemptGroup[],
  { since, until }: AttemptFilters,
  { before, limit }: AttemptPage,
): Promise<readonly AttemptPosition[]> {
  const bounds: AttemptGroup[] = [];
  if (since !== undefined) bounds.push(sql`occurred_at >= ${since}`);
  // Only the tighter one, where an engine enters the index.
  if (before !== null && before.occurredAt <= (until ?? before.occurredAt))
    bounds.push(sql`(occurred_at, id) < (${before.occurredAt}, ${before.id})`);
  else if (until !== undefined) bounds.push(sql`occurred_at <= ${until}`);
  const newest = groups.map(
    (group) => sql<AttemptPosition>`select * from (
      select occurred_at as "occurredAt", id from delivery_attempts
      where ${sql.join([group, ...bounds], sql` and `)}
      order by occurred_at desc, id desc limit ${limit}) as newest`,
  );
  const { rows } = await sql<AttemptPosition>`${sql.join(newest, sql` union all `)}`.execute(db);
  return rows;
}

async function attemptsAt(
  db: Kysely<Tables>,
  positions: readonly AttemptPosition[],
): Promise<readonly DeliveryAttempt[]> {
  if (positions.length === 0) return [];
  const ids = positions.map(({ id }) => id);
  const rows = await db.selectFrom("delivery_attempts").selectAll().where("id", "in", ids).execute();
  return rows.map(attemptOf).toSorted(newestFirst);
}

const newestFirst = (one: AttemptPosition, other: AttemptPosition): number =>
  other.occurredAt - one.occurredAt || (one.id < other.id ? 1 : -1);
