import type { RawBuilder, SqlBool } from "kysely";
import type { RowLocks } from "./row-locks.ts";

/** Types that both engines have, of columns that a statement makes up. */
export type ColumnType = "text" | "bigint";

/** What differs between the engines. */
export interface Engine extends RowLocks {
  readonly name: "sqlite" | "postgresql";
  /** Whether it answers statements at once, on its one connection, so that nothing else happens during a transaction. */
  readonly isSynchronous: boolean;
  /** Has the database keep a statement parsed and planned; its text names the columns that it gives. */
  prepare(text: string): void;
  /** That the column holds one of these texts, which come as a JSON list. */
  isOneOf(column: string, texts: RawBuilder<readonly string[]>): RawBuilder<SqlBool>;
  /** A table of these columns, from a JSON list of objects. */
  records(list: RawBuilder<readonly unknown[]>, columns: Readonly<Record<string, ColumnType>>): RawBuilder<unknown>;
  /** The same, with columns of the types that they have in a table of the database. */
  rowsOf(table: string, columns: readonly string[], list: RawBuilder<readonly unknown[]>): RawBuilder<unknown>;
  /** An aggregate: all rows as a JSON list, each as the list of these columns, or null where there is none. */
  jsonList(columns: readonly string[]): RawBuilder<string | null>;
  /** Whether a transaction failed only because of others beside it, and may succeed when it is tried again. */
  readonly isConflict: (problem: unknown) => boolean;
}
