import type { Kysely, SelectQueryBuilder } from "kysely";
import type { Tables } from "../tables.ts";

/**
 * How a transaction keeps others from what its decision rests on. An engine on which transactions that write come one
 * after the other needs none of it.
 */
export interface RowLocks {
  /** Waits for the rows and keeps them, until the transaction ends, from others that ask for them. */
  held<Db, From extends keyof Db, Row>(query: SelectQueryBuilder<Db, From, Row>): SelectQueryBuilder<Db, From, Row>;
  /** The same, but leaves out rows that others keep. */
  free<Db, From extends keyof Db, Row>(query: SelectQueryBuilder<Db, From, Row>): SelectQueryBuilder<Db, From, Row>;
  /** From here on the transaction fails where it would wait longer than a moment for rows that others keep. */
  hurry(db: Kysely<Tables>): Promise<void>;
}
