import type { DatabaseSync } from "node:sqlite";

/** One look at a database for the reads that follow each other without anything in between. */
export interface ReadView {
  /** Called before each statement that runs outside of a transaction, and told whether it only reads. */
  before(reads: boolean): void;
  /** Whoever is to have the connection gets it without a transaction. */
  end(): void;
}

/**
 * Reads together what is read before the event loop goes on to the next event: for SQLite to let a statement see the
 * database, and to let go of it, takes longer than to find a row by its key. Whatever the reads are for was asked before
 * the first of them, so that nobody is told anything older than their question. A write ends the view.
 */
export function readView(database: DatabaseSync): ReadView {
  let isOpen = false;
  function end(): void {
    if (!isOpen) return;
    isOpen = false;
    // An error may have ended it.
    if (database.isTransaction) database.exec("commit");
  }
  return {
    end,
    before(reads) {
      if (!reads) return end();
      if (isOpen) return;
      database.exec("begin");
      isOpen = true;
      // Runs when nothing that was promised goes on any more.
      process.nextTick(end);
    },
  };
}
