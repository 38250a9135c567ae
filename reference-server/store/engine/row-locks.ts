import type { SelectQueryBuilder } from "kysely";

/**
 * How a transaction keeps others from what its decision rests on. An engine on which transactions that write come one
 * after the other needs none of it.
 */
export interface RowLocks {
  /** Waits for the rows and keeps them, until the transaction ends, from others that ask for them. */
  held<Db, From extends keyof Db, Row>(query: SelectQueryBuilder<Db, From, Row>): SelectQueryBuilder<Db, From, Row>;
  /** The same, but leaves out rows that others keep. */
  free<Db, From extends keyof Db, Row>(query: SelectQueryBuilder<Db, From, Row>): SelectQueryBuilder<Db, From, Row>;
}
