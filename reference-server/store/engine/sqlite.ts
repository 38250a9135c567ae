import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type RawBuilder,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
  sql,
} from "kysely";
import { migrate } from "../migrations.ts";
import { SqlStore } from "../sql-store.ts";
import type { Store } from "../store.ts";
import type { Tables } from "../tables.ts";
import type { Engine } from "./engine.ts";
import { type ReadView, readView } from "./read-view.ts";
import type { AtOnce, Connection } from "./statement.ts";

/** How long a statement waits for another process that is writing. */
const busyMilliseconds = 5000;

/** SQLITE_BUSY */
const busyCode = 5;

const inMemory = ":memory:";

/** A new store in memory, whose tables are made once: a process that tries many servers has one for each. */
let emptyStore: Uint8Array | null = null;

/** Opens, and creates if need be, a store in a file or, for `:memory:`, in this process only. Throws what stopped it. */
export async function openSqlite(file: string): Promise<Store> {
  const database = new DatabaseSync(file, { timeout: busyMilliseconds });
  try {
    // What a statement keeps for itself needs no file.
    database.exec("pragma temp_store = memory");
    if (file === inMemory && emptyStore !== null) {
      database.deserialize(emptyStore);
      return new SqlStore({ engine, ...connect(database) });
    }
    await logAhead(database);
    const { db, atOnce } = connect(database);
    // Another process may open the same new file: one of them makes the tables while the others wait.
    database.exec("begin immediate");
    await migrate(db);
    database.exec("commit");
    if (file === inMemory) emptyStore = database.serialize();
    return new SqlStore({ db, engine, atOnce });
  } catch (problem) {
    database.close();
    throw problem;
  }
}

/** Whoever connects still closes the database. */
export const connectSqlite = (database: DatabaseSync): Connection => ({ engine, ...connect(database) });

function connect(database: DatabaseSync): Pick<Connection, "db"> & { readonly atOnce: AtOnce } {
  const view = readView(database);
  const statements = kyselyDatabase(database, view);
  const turns = takeTurns();
  const driver = new Driver({ database: statements }, turns, view);
  const execute = <Row>(text: string, parameters: readonly unknown[]) => {
    const statement = statements.prepare(text);
    if (!turns.isTaken()) view.before(statement.reads);
    // The statement's columns are those of its row, as everywhere where rows come from a database.
    if (statement.reader) return { rows: statement.all(parameters) as readonly Row[] };
    return { rows: [], numAffectedRows: statement.run(parameters).changes };
  };
  const alone = async <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
    if (turns.isTaken()) await turns.wait();
    else turns.take();
    try {
      view.end();
      return await work();
    } finally {
      turns.release();
    }
  };
  const db = new Kysely<Tables>({ dialect: new Dialect(driver, { database: statements }) });
  return {
    db,
    atOnce: {
      isTaken: turns.isTaken,
      execute,
      executeLater: (text, parameters) => alone(() => execute(text, parameters)),
      transaction: (begin, work) =>
        alone(async () => {
          database.exec(begin);
          try {
            const result = await work();
            database.exec("commit");
            return result;
          } catch (problem) {
            // An error may have ended it.
            if (database.isTransaction) database.exec("rollback");
            throw problem;
          }
        }),
      async close() {
        await db.destroy();
        // Kysely ends only what it has begun to use.
        if (database.isOpen) statements.close();
      },
      builder: (execute) =>
        new Kysely<Tables>({ dialect: new Dialect(new BorrowingDriver(execute), { database: statements }) }),
    },
  };
}

/** Who has the one connection to itself; the others wait, and get it in the order in which they came. */
function takeTurns() {
  let isTaken = false;
  const waiting: (() => void)[] = [];
  return {
    isTaken: () => isTaken,
    /** For when nobody has it. */
    take() {
      isTaken = true;
    },
    wait: () => new Promise<void>((turn) => waiting.push(turn)),
    /** Whoever waits longest has it from now on. */
    release() {
      const next = waiting.shift();
      if (next === undefined) isTaken = false;
      else next();
    },
  };
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

/** A transaction that writes has the database to itself, so that none comes in another's way. */
const engine: Engine = {
  name: "sqlite",
  held: (query) => query,
  free: (query) => query,
  hurry: async () => undefined,
  isSynchronous: true,
  // Every statement is kept so.
  prepare: () => undefined,
  isOneOf: (column, texts) => sql`${sql.ref(column)} in (select value from json_each(${texts}))`,
  records: (list, columns) => fromJson(list, Object.keys(columns)),
  rowsOf: (_, columns, list) => fromJson(list, columns),
  jsonList: (columns) => sql`json_group_array(json_array(${sql.join(columns.map((column) => sql.ref(column)))}))`,
  isConflict: () => false,
};

function fromJson(list: RawBuilder<readonly unknown[]>, columns: readonly string[]): RawBuilder<unknown> {
  const values = columns.map((column) => sql`value ->> ${sql.lit(`$.${column}`)} as ${sql.id(column)}`);
  return sql`(select ${sql.join(values)} from json_each(${list}))`;
}

class Dialect extends SqliteDialect {
  readonly #driver: SqliteDriver;

  constructor(driver: SqliteDriver, config: SqliteDialectConfig) {
    super(config);
    this.#driver = driver;
  }

  override createDriver(): SqliteDriver {
    return this.#driver;
  }
}

/** What Kysely does by itself, such as migrations, takes its turn with the statements that are executed at once. */
class Driver extends SqliteDriver {
  readonly #turns: ReturnType<typeof takeTurns>;
  readonly #view: ReadView;

  constructor(config: SqliteDialectConfig, turns: ReturnType<typeof takeTurns>, view: ReadView) {
    super(config);
    this.#turns = turns;
    this.#view = view;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#turns.isTaken()) await this.#turns.wait();
    else this.#turns.take();
    this.#view.end();
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#turns.release();
    return super.releaseConnection();
  }
}

/** Executes on the connection of somebody who has it already, and can do nothing but that. */
class BorrowingDriver extends SqliteDriver {
  readonly #connection: DatabaseConnection;

  constructor(execute: AtOnce["execute"]) {
    super({ database: async () => Promise.reject(new Error("Who borrows a connection opens none.")) });
    this.#connection = {
      async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
        const { rows, numAffectedRows = 0 } = execute<Row>(sql, parameters);
        return { rows: [...rows], numAffectedRows: BigInt(numAffectedRows) };
      },
      streamQuery() {
        throw new Error("A transaction reads its rows at once.");
      },
    };
  }

  override async init(): Promise<void> {}

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
}

/** Statements kept prepared: more than the store usually has. */
const mostPrepared = 500;

interface PreparedStatement extends SqliteStatement {
  /** Whether it may run in a view that others read in too. */
  readonly reads: boolean;
}

/**
 * `node:sqlite` in the shape that Kysely's dialect asks for. Each statement is prepared once, unless so many others came
 * after it.
 */
function kyselyDatabase(database: DatabaseSync, view: ReadView) {
  const prepared = new Map<string, PreparedStatement>();
  return {
    close: () => {
      view.end();
      database.close();
    },
    prepare: (text: string): PreparedStatement => {
      const known = prepared.get(text);
      if (known !== undefined) return known;
      const statement = kyselyStatement(database, text);
      prepared.set(text, statement);
      // A map keeps the order in which its members were set.
      const [oldest] = prepared.size > mostPrepared ? prepared.keys() : [];
      if (oldest !== undefined) prepared.delete(oldest);
      return statement;
    },
  } satisfies SqliteDatabase;
}

function kyselyStatement(database: DatabaseSync, text: string): PreparedStatement {
  const statement = database.prepare(text.replace(boundLimit, "limit ? + 0"));
  const names = statement.columns().map(({ name }) => name);
  // The objects that it would make itself are hash tables: to make and to read one takes three times as long.
  statement.setReturnArrays(true);
  return {
    reader: names.length > 0,
    reads: isRead(text),
    all: (parameters) => statement.all(...parameters.map(bindable)).map((values) => rowOf(names, values)),
    run: (parameters) => statement.run(...parameters.map(bindable)),
    *iterate(parameters) {
      for (const values of statement.iterate(...parameters.map(bindable))) yield rowOf(names, values);
    },
  };
}

/** A row by the names of its columns, from the list of its values. */
function rowOf(names: readonly string[], values: Readonly<Record<number, SQLOutputValue>>) {
  const row: Record<string, SQLOutputValue | undefined> = {};
  names.forEach((name, at) => {
    row[name] = values[at];
  });
  return row;
}

/**
 * A limit that is a parameter and nothing else: SQLite looks at its value when it plans, and so plans the whole statement
 * anew whenever one is bound, which takes several times as long as to execute most of them.
 */
const boundLimit = /\blimit \?(?!\s*[+\d])/gi;

/** Nothing else that begins so writes. */
const isRead = (text: string): boolean => /^select\b/i.test(text);

function bindable(value: unknown): SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint")
    return value;
  throw new TypeError(`A statement cannot take a value of type ${typeof value}.`);
}
