import { type RawBuilder, sql } from "kysely";
import { type JointDraw, type LimitLevel, unusedLevel } from "../../domain/limits/draw.ts";
import { columns } from "../columns.ts";
import { type Connection, type Given, insertRows, perShape, statement } from "../engine/statement.ts";
import type { Drawn } from "../store.ts";
import type { LimitRow } from "../tables.ts";
import { type LevelColumns, type LimitColumns, limitColumns } from "./limit-columns.ts";

/*
 * A row for each bucket of an organization that was ever drawn from. A draw is one statement, which changes the rows of
 * all its buckets or none: it holds them while it looks, in the order of their names, so that others wait and then see
 * what it has made of them.
 */
export class SqlLimits {
  readonly #on: Connection;

  constructor(on: Connection) {
    this.#on = on;
  }

  async draw(organizationId: string, joint: JointDraw): Promise<Drawn> {
    if (await this.#take(organizationId, joint)) return { admitted: true };
    // Perhaps not all rows were there. By now they may be, made by another draw: only a second try can tell.
    const names = namesOf(joint);
    const rows = names.map((name) => ({ organization_id: organizationId, name, ...unusedLevel }));
    await insertUnused.run(this.#on, { rows });
    if (await this.#take(organizationId, joint)) return { admitted: true };
    // Only tells how long to wait: nothing is decided by it.
    return { admitted: false, levels: levelsOf(joint, await selectLevels.rows(this.#on, { organizationId, names })) };
  }

  async giveBack(organizationId: string, joint: JointDraw): Promise<void> {
    const { giveBack, wantedBy } = changesBy(joint.algorithm);
    await giveBack.run(this.#on, wantedBy(organizationId, joint));
  }

  async #take(organizationId: string, joint: JointDraw): Promise<boolean> {
    const { take, wantedBy } = changesBy(joint.algorithm);
    return (await take.run(this.#on, wantedBy(organizationId, joint))) > 0;
  }
}

interface Wanted {
  readonly organizationId: string;
  readonly wanted: readonly Readonly<Record<string, unknown>>[];
  readonly parts: number;
}

const changesBy = perShape((algorithm: JointDraw["algorithm"]) => {
  const { columns, next, hasRoom, returned, wanted } = limitColumns(algorithm);
  return {
    take: change(columns, next, hasRoom),
    giveBack: change(columns, returned, sql`1 = 1`),
    /** What each part draws, in the order of their rows. */
    wantedBy(organizationId: string, joint: JointDraw): Wanted {
      const parts = joint.draws
        .map((draw) => ({ name: rowName(joint, draw.bucket), ...wanted(draw, joint.now) }))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1));
      return { organizationId, wanted: parts, parts: parts.length };
    },
  };
});

/** Changes the rows of all parts where the condition holds for each of them. */
function change(
  columns: LimitColumns["columns"],
  { mark, used, earlier }: LevelColumns,
  condition: RawBuilder<boolean>,
) {
  return statement(
    (_, given: Given<Wanted>, { records, isSynchronous }) => sql`
      with met as (
        select limits.name, ${mark} as mark, ${used} as used, ${earlier} as earlier,
          case when ${condition} then 1 else 0 end as holds
        from limits inner join ${records(given("wanted"), { name: "text", ...columns })} as wanted on wanted.name = limits.name
        where limits.organization_id = ${given("organizationId")}
        order by limits.name ${isSynchronous ? sql`` : sql`for update of limits`})
      update limits set mark = met.mark, used = met.used, earlier = met.earlier
      from met
      where limits.organization_id = ${given("organizationId")} and limits.name = met.name
        and (select sum(holds) from met) = cast(${given("parts")} as bigint)`,
  );
}

const insertUnused = statement(
  (_, given: Given<{ readonly rows: readonly LimitRow[] }>, engine) =>
    sql`${insertRows("limits", columns.limits, given("rows"), engine)} on conflict do nothing`,
);

const selectLevels = statement(
  (db, given: Given<{ readonly organizationId: string; readonly names: readonly string[] }>, { isOneOf }) =>
    db
      .selectFrom("limits")
      .select(["name", "mark", "used", "earlier"])
      .where("organization_id", "=", given("organizationId"))
      .where(isOneOf("name", given("names"))),
);

function levelsOf(joint: JointDraw, rows: readonly Omit<LimitRow, "organization_id">[]) {
  const levels = new Map<string, LimitLevel>(rows.map(({ name, ...level }) => [name, level]));
  return new Map(
    joint.draws.flatMap(({ bucket }) => {
      const level = levels.get(rowName(joint, bucket));
      return level === undefined ? [] : [[bucket, level] as const];
    }),
  );
}

const rowName = ({ algorithm }: JointDraw, bucket: string): string => `${algorithm}:${bucket}`;

const namesOf = (joint: JointDraw): readonly string[] =>
  joint.draws.map(({ bucket }) => rowName(joint, bucket)).toSorted();
