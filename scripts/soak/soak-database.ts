import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";

export type Row = Readonly<Record<string, unknown>>;

/** A look into the servers' database, past the servers. */
export interface SoakDatabase {
  /** The rows of each statement, all as they are at one instant, while servers may run. */
  read(statements: readonly string[]): Promise<readonly (readonly Row[])[]>;
  /** The same while no server runs. What a killed server left to be recovered is left to the next one. */
  readLeft(statements: readonly string[]): Promise<readonly (readonly Row[])[]>;
}

export function sqliteDatabase(file: string): SoakDatabase {
  return {
    read: async (statements) => readFile(file, statements),
    async readLeft(statements) {
      const folder = mkdtempSync(join(tmpdir(), "bylaw-soak-left-"));
      try {
        const copy = join(folder, basename(file));
        // The log that SQLite recovers from, but not its index, which it makes anew.
        for (const end of ["", "-wal"]) if (existsSync(file + end)) copyFileSync(file + end, copy + end);
        return readFile(copy, statements);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

function readFile(file: string, statements: readonly string[]): readonly (readonly Row[])[] {
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec("begin");
    const found = statements.map((statement) => database.prepare(statement).all());
    database.exec("rollback");
    return found;
  } finally {
    database.close();
  }
}

export function postgresDatabase(url: string): SoakDatabase {
  const read: SoakDatabase["read"] = async (statements) => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      await client.query("begin isolation level repeatable read read only");
      const found: Row[][] = [];
      for (const statement of statements) found.push((await client.query<Row>(statement)).rows);
      return found;
    } finally {
      await client.end();
    }
  };
  return { read, readLeft: read };
}
