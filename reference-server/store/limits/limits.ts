import { type Kysely, type RawBuilder, sql } from "kysely";
import { type JointDraw, type LimitLevel, unusedLevel } from "../../domain/limits/draw.ts";
import type { Engine } from "../engine/engine.ts";
import type { Drawn } from "../store.ts";
import type { Tables } from "../tables.ts";
import { type LevelColumns, limitColumns } from "./limit-columns.ts";

/*
 * A row for each bucket of an organization that was ever drawn from. A draw is one statement, which changes the rows of
 * all its buckets or none: it holds them while it looks, in the order of their names, so that others wait and then see
 * what it has made of them.
 */
export class SqlLimits {
  readonly #db: Kysely<Tables>;
  readonly #engine: Engine;

  constructor(db: Kysely<Tables>, engine: Engine) {
    this.#db = db;
    this.#engine = engine;
  }

  async draw(organizationId: string, joint: JointDraw): Promise<Drawn> {
    if (await this.#take(organizationId, joint)) return { admitted: true };
    // Perhaps not all rows were there. By now they may be, made by another draw: only a second try can tell.
    await this.#insertUnused(organizationId, joint);
    if (await this.#take(organizationId, joint)) return { admitted: true };
    // Only tells how long to wait: nothing is decided by it.
    return { admitted: false, levels: await this.#levels(organizationId, joint) };
  }

  async giveBack(organizationId: string, joint: JointDraw): Promise<void> {
    const { returned } = limitColumns(joint);
    await this.#change(organizationId, joint, returned, sql`1 = 1`);
  }

  async #take(organizationId: string, joint: JointDraw): Promise<boolean> {
    const { next, hasRoom } = limitColumns(joint);
    return (await this.#change(organizationId, joint, next, hasRoom)) > 0;
  }

  /** Changes the rows of all parts where the condition holds for each of them. Gives how many it has changed. */
  async #change(
    organizationId: string,
    joint: JointDraw,
    { mark, used, earlier }: LevelColumns,
    condition: RawBuilder<boolean>,
  ): Promise<number> {
    const { names, rows } = wantedOf(joint);
    const { rows: changed } = await sql`
      with wanted (${names}) as (values ${rows}),
      met as (
        select limits.name, ${mark} as mark, ${used} as used, ${earlier} as earlier,
          case when ${condition} then 1 else 0 end as holds
        from limits inner join wanted on wanted.name = limits.name
        where limits.organization_id = ${organizationId}
        order by limits.name ${this.#engine.isSynchronous ? sql`` : sql`for update of limits`})
      update limits set mark = met.mark, used = met.used, earlier = met.earlier
      from met
      where limits.organization_id = ${organizationId} and limits.name = met.name
        and (select sum(holds) from met) = cast(${joint.draws.length} as bigint)
      returning limits.name`.execute(this.#db);
    return changed.length;
  }

  async #levels(organizationId: string, joint: JointDraw): Promise<ReadonlyMap<string, LimitLevel>> {
    const rows = await this.#db
      .selectFrom("limits")
      .select(["name", "mark", "used", "earlier"])
      .where("organization_id", "=", organizationId)
      .where("name", "in", namesOf(joint))
      .execute();
    const levels = new Map(rows.map(({ name, ...level }) => [name, level]));
    return new Map(
      joint.draws.flatMap(({ bucket }) => {
        const level = levels.get(rowName(joint, bucket));
        return level === undefined ? [] : [[bucket, level] as const];
      }),
    );
  }

  async #insertUnused(organizationId: string, joint: JointDraw): Promise<void> {
    const rows = namesOf(joint).map((name) => ({ organization_id: organizationId, name, ...unusedLevel }));
    await this.#db
      .insertInto("limits")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** What each part draws, as the names and values of a table's columns. */
function wantedOf(joint: JointDraw) {
  const { wanted } = limitColumns(joint);
  const parts = joint.draws
    .map((draw) => ({ name: rowName(joint, draw.bucket), numbers: wanted(draw) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const columns = Object.keys(parts[0]?.numbers ?? {});
  const rows = parts.map(({ name, numbers }) => {
    const values = columns.map((column) => sql`cast(${numbers[column]} as bigint)`);
    return sql`(${sql.join([sql`cast(${name} as text)`, ...values])})`;
  });
  return { names: sql.join(["name", ...columns].map((column) => sql.id(column))), rows: sql.join(rows) };
}

const rowName = ({ algorithm }: JointDraw, bucket: string): string => `${algorithm}:${bucket}`;

const namesOf = (joint: JointDraw): readonly string[] =>
  joint.draws.map(({ bucket }) => rowName(joint, bucket)).toSorted();
