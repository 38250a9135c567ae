import type { RowLocks } from "./row-locks.ts";

/** What differs between the engines. */
export interface Engine extends RowLocks {
  readonly name: "sqlite" | "postgresql";
  /** Whether it answers statements at once, on its one connection, so that nothing else happens during a transaction. */
  readonly isSynchronous: boolean;
  /** Has the database keep a statement parsed and planned; its text names the columns that it gives. */
  prepare(text: string): void;
  /** Whether a transaction failed only because of others beside it, and may succeed when it is tried again. */
  readonly isConflict: (problem: unknown) => boolean;
}
