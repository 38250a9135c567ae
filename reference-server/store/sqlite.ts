import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from "kysely";
import { migrate } from "./migrations.ts";
import { SqlStore } from "./sql-store.ts";
import type { Store } from "./store.ts";
import type { Tables } from "./tables.ts";

/** How long a statement waits for another process that is writing. */
const busyMilliseconds = 5000;

/** SQLITE_BUSY */
const busyCode = 5;

/** Opens, and creates if need be, a store in a file or, for `:memory:`, in this process only. Throws what stopped it. */
export async function openSqlite(file: string): Promise<Store> {
  const database = new DatabaseSync(file, { timeout: busyMilliseconds });
  try {
    await logAhead(database);
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: kyselyDatabase(database) }) });
    // Another process may open the same new file: one of them makes the tables while the others wait.
    database.exec("begin immediate");
    await migrate(db);
    database.exec("commit");
    return new SqlStore(db);
  } catch (problem) {
    database.close();
    throw problem;
  }
}

/** Readers then never wait for the writer. What was answered survives the end of the process. */
async function logAhead(database: DatabaseSync): Promise<void> {
  const end = Date.now() + busyMilliseconds;
  for (;;) {
    try {
      return database.exec("pragma journal_mode = wal; pragma synchronous = normal;");
    } catch (problem) {
      // Unlike other statements, this one does not wait by itself.
      if (!isBusy(problem) || Date.now() > end) throw problem;
      await new Promise((done) => setTimeout(done, 10));
    }
  }
}

const isBusy = (problem: unknown): boolean =>
  problem instanceof Error && "errcode" in problem && problem.errcode === busyCode;

/**
 * `node:sqlite` in the shape that Kysely's dialect asks for. Each statement is prepared once: there are only as many as
 * the store has, since values are always parameters.
 */
function kyselyDatabase(database: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare: (text) => {
      const statement = prepared.get(text) ?? kyselyStatement(database, text);
      prepared.set(text, statement);
      return statement;
    },
  };
}

function kyselyStatement(database: DatabaseSync, text: string): SqliteStatement {
  const statement = database.prepare(text);
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...parameters.map(bindable)),
    run: (parameters) => statement.run(...parameters.map(bindable)),
    iterate: (parameters) => statement.iterate(...parameters.map(bindable)),
  };
}

function bindable(value: unknown): SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint")
    return value;
  throw new TypeError(`A statement cannot take a value of type ${typeof value}.`);
}
