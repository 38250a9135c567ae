import { type Kysely, type RawBuilder, sql } from "kysely";
import type { DeliveryAttempt } from "../../domain/deliveries/delivery.ts";
import { asOfOneInstant, type Connection } from "../engine/statement.ts";
import type { Tables } from "../tables.ts";
import { attemptOf } from "../webhook-rows.ts";
import { type AttemptGroup, attemptGroups } from "./attempt-groups.ts";
import { countAttempts } from "./count-attempts.ts";
import type { AttemptFilters, AttemptPage, AttemptPosition, FoundAttempts } from "./webhook-store.ts";

/** Groups that one statement looks into; engines bound how many parts a statement may have. */
const mostGroups = 100;

/** A page of attempts and how many there are: both as of one instant, at a cost that does not grow with their number. */
export function findAttempts(
  on: Connection,
  organizationId: string,
  filters: AttemptFilters,
  page: AttemptPage,
): Promise<FoundAttempts> {
  return asOfOneInstant(on, async ({ db }) => ({
    attempts: await attemptPage(db, organizationId, filters, page),
    total: await countAttempts(db, organizationId, page.total === "all" ? { unanswered: "kept" } : filters),
  }));
}

async function attemptPage(
  db: Kysely<Tables>,
  organizationId: string,
  filters: AttemptFilters,
  { before, limit }: AttemptPage,
): Promise<readonly DeliveryAttempt[]> {
  const { since, until } = filters;
  const time: AttemptGroup[] = [];
  if (since !== undefined) time.push(sql`occurred_at >= ${since}`);
  // Only the tighter one, where an engine enters the index.
  if (before !== null && before.occurredAt <= (until ?? before.occurredAt))
    time.push(sql`(occurred_at, id) < (${before.occurredAt}, ${before.id})`);
  else if (until !== undefined) time.push(sql`occurred_at <= ${until}`);
  const found = await ofEach(
    db,
    await attemptGroups(db, organizationId, filters),
    (group) => sql<AttemptPosition>`select * from (
      select occurred_at as "occurredAt", id from delivery_attempts
      where ${sql.join([group, ...time], sql` and `)}
      order by occurred_at desc, id desc limit ${limit}) as newest`,
  );
  return attemptsAt(db, found.toSorted(newestFirst).slice(0, limit));
}

/** The rows that a query finds for each of these groups. */
async function ofEach<Row>(
  db: Kysely<Tables>,
  groups: readonly AttemptGroup[],
  query: (group: AttemptGroup) => RawBuilder<Row>,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (let start = 0; start < groups.length; start += mostGroups) {
    const queries = groups.slice(start, start + mostGroups).map(query);
    found.push(...(await sql<Row>`${sql.join(queries, sql` union all `)}`.execute(db)).rows);
  }
  return found;
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
