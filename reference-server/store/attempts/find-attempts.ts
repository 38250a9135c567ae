import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { DeliveryAttempt } from "../../domain/deliveries/delivery.ts";
import { columns } from "../columns.ts";
import { asOfOneInstant, type Connection, type Given, perShape, statement } from "../engine/statement.ts";
import { every } from "../migrations/0005-attempt-counts.ts";
import { attemptOf } from "../webhook-rows.ts";
import {
  type Asked,
  askedFor,
  asksAbout,
  attemptsOfGroup,
  countedGroups,
  type Shape,
  shapeOf,
} from "./attempt-groups.ts";
import { countAttempts } from "./count-attempts.ts";
import type { AttemptFilters, AttemptPage, AttemptPosition, FoundAttempts } from "./webhook-store.ts";

/** A page of attempts and how many there are: both as of one instant, at a cost that does not grow with their number. */
export const findAttempts = (
  on: Connection,
  organizationId: string,
  filters: AttemptFilters,
  page: AttemptPage,
): Promise<FoundAttempts> =>
  asOfOneInstant(on, async (on) => ({
    attempts: await attemptPage(on, organizationId, filters, page),
    total: await countAttempts(on, organizationId, page.total === "all" ? { unanswered: "kept" } : filters),
  }));

async function attemptPage(
  on: Connection,
  organizationId: string,
  filters: AttemptFilters,
  { before, limit }: AttemptPage,
): Promise<readonly DeliveryAttempt[]> {
  const { since, until } = filters;
  // Only the tighter end, where an engine enters the index.
  const isBehind = before !== null && before.occurredAt <= (until ?? before.occurredAt);
  const end = isBehind ? "before" : until === undefined ? "" : "until";
  const time = `${since === undefined ? "" : "since"} ${end}`;
  const asked = {
    ...askedFor(organizationId, filters),
    since: since ?? 0,
    until: until ?? 0,
    before: before?.occurredAt ?? 0,
    beforeId: before?.id ?? "",
    limit,
  };
  const shape = shapeOf(filters);
  if (shape === "") return (await selectNewest(time).rows(on, asked)).map(attemptOf);
  const groups = await selectNewestOfGroups(`${shape} ${time}`).rows(on, asked);
  const found = groups.flatMap(({ newest }) => positionsIn(newest));
  const ids = found
    .toSorted(newestFirst)
    .slice(0, limit)
    .map(({ id }) => id);
  const rows = await selectAttempts.rows(on, { ids });
  return rows.map(attemptOf).toSorted(newestFirst);
}

interface AskedPage extends Asked {
  readonly since: number;
  readonly until: number;
  /** Where the page before this one ended. */
  readonly before: number;
  readonly beforeId: string;
  readonly limit: number;
}

/** Of all that an organization has. */
const selectNewest = perShape((shape: Shape) =>
  statement((db, given: Given<AskedPage>) =>
    db
      .selectFrom("delivery_attempts")
      .select(columns.delivery_attempts)
      .where("organization_id", "=", given("organizationId"))
      .where(timeAsked(shape, given))
      .orderBy("occurred_at", "desc")
      .orderBy("id", "desc")
      .limit(given("limit")),
  ),
);

/** Of each group, as JSON. */
const selectNewestOfGroups = perShape((shape: Shape) =>
  statement(
    (_, given: Given<AskedPage>, engine) => sql<{ readonly newest: string | null }>`
      select (
        select ${engine.jsonList(["occurred_at", "id"])} from (
          select occurred_at, id from delivery_attempts
          where ${attemptsOfGroup(shape, given)} and ${timeAsked(shape, given)}
          order by occurred_at desc, id desc limit ${given("limit")}) as positions) as newest
      from attempt_counts
      where ${countedGroups(shape, given, engine)} and period = ${sql.lit(every.period)} and starts_at = 0`,
  ),
);

const selectAttempts = statement((db, given: Given<{ readonly ids: readonly string[] }>, { isOneOf }) =>
  db
    .selectFrom("delivery_attempts")
    .select(columns.delivery_attempts)
    .where(isOneOf("id", given("ids"))),
);

function timeAsked(shape: Shape, given: Given<AskedPage>): RawBuilder<SqlBool> {
  const conditions: RawBuilder<SqlBool>[] = [sql`1 = 1`];
  if (asksAbout(shape, "since")) conditions.push(sql`occurred_at >= ${given("since")}`);
  if (asksAbout(shape, "until")) conditions.push(sql`occurred_at <= ${given("until")}`);
  if (asksAbout(shape, "before")) conditions.push(sql`(occurred_at, id) < (${given("before")}, ${given("beforeId")})`);
  return sql`${sql.join(conditions, sql` and `)}`;
}

/** As the engine wrote it: an instant and an id of each. */
function positionsIn(list: string | null): readonly AttemptPosition[] {
  const positions: unknown = JSON.parse(list ?? "[]");
  if (!Array.isArray(positions)) throw new Error("The database gives no list of positions.");
  return positions.map((position: unknown) => {
    const [occurredAt, id]: readonly unknown[] = Array.isArray(position) ? position : [];
    if (typeof occurredAt === "number" && typeof id === "string") return { occurredAt, id };
    throw new Error("The database gives a position that is none.");
  });
}

const newestFirst = (one: AttemptPosition, other: AttemptPosition): number =>
  other.occurredAt - one.occurredAt || (one.id < other.id ? 1 : -1);
