import type { Compilable, Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import type { Engine } from "./engine.ts";

/** Reads at most one row; takes the parameters in the order in which the query has them. */
export type CompiledRead<Row> = (...parameters: readonly string[]) => Promise<Row | undefined>;

/** Holds the place of a parameter while a query is built. */
export const place = "";

/**
 * A query that is built, compiled and prepared once, for what nearly every request reads: all of it takes longer than
 * its execution. It names its columns, so that those that a newer server adds change nothing of what was prepared.
 */
export function compiledRead<Row>(db: Kysely<Tables>, engine: Engine, query: Compilable<Row>): CompiledRead<Row> {
  const compiled = query.compile();
  engine.prepare(compiled.sql);
  return async (...parameters) => (await db.executeQuery<Row>({ ...compiled, parameters })).rows[0];
}
