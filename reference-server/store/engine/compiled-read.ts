import type { Compilable, Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Reads at most one row; takes the parameters in the order in which the query has them. */
export type CompiledRead<Row> = (...parameters: readonly string[]) => Promise<Row | undefined>;

/** Holds the place of a parameter while a query is built. */
export const place = "";

/** A query that is built and compiled once, for what nearly every request reads: both take longer than its execution. */
export function compiledRead<Row>(db: Kysely<Tables>, query: Compilable<Row>): CompiledRead<Row> {
  const compiled = query.compile();
  return async (...parameters) => (await db.executeQuery<Row>({ ...compiled, parameters })).rows[0];
}
