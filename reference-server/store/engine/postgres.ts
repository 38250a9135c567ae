import { createHash } from "node:crypto";
import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
} from "kysely";
import pg from "pg";
import { migrate } from "../migrations.ts";
import { SqlStore } from "../sql-store.ts";
import type { Store } from "../store.ts";
import type { Tables } from "../tables.ts";
import type { Engine } from "./engine.ts";

/*
 * Several servers may share one database: every decision is one statement on rows that the database locks. Instants
 * come with the call, from the clock of the machine that serves it. Machines that share a database therefore keep
 * their clocks in step (NTP): one that is ahead by a second admits a draw from a limit up to a second too soon.
 */

/** What keeps a slow or lost database from holding the server up; a call that meets a bound fails. */
export interface PostgresBounds {
  /** Most connections of one server. */
  readonly connections: number;
  /** How long a statement waits for a connection, be it a new one or one that others use. */
  readonly connectMilliseconds: number;
  /** How long the database may work on a statement, waiting for locks included. */
  readonly statementMilliseconds: number;
}

const usualBounds: PostgresBounds = { connections: 10, connectMilliseconds: 5000, statementMilliseconds: 5000 };

/**
 * A migration goes through whole tables, however large, and waits while another server does; what is broken off starts
 * from the beginning at the next try.
 */
const migrationMilliseconds = 12 * 3_600_000;

/** How long a transaction may do nothing, however long its statements may take. */
const mostIdleMilliseconds = 60_000;

/** How much later than the database should have given up a statement its connection is taken to be dead. */
const silenceMilliseconds = 1000;

export interface PostgresOptions extends Partial<PostgresBounds> {
  /** Told of connections that were lost while nobody used them; whoever uses one learns of its loss by an error. */
  readonly lostConnection?: (problem: Error) => void;
}

/** Opens a store in the database at `url`, which gets the tables if it lacks them. Throws what stopped it. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const { lostConnection = () => undefined, ...bounds } = options;
  const all = { ...usualBounds, ...bounds };
  const migrating = connect(url, { ...all, connections: 1, statementMilliseconds: migrationMilliseconds }, () => {});
  try {
    await migrate(migrating);
  } finally {
    await migrating.destroy();
  }
  return new SqlStore({ db: connect(url, all, lostConnection), engine, atOnce: null });
}

/** A transaction that the database ended because of another one: serialization_failure and deadlock_detected. */
const conflicts: readonly unknown[] = ["40001", "40P01"];

/** How long a transaction in a hurry waits for rows that others keep. */
const momentMilliseconds = 50;

/** The name under which each connection keeps a statement, by its text. */
const prepared = new Map<string, string>();

const engine: Engine = {
  name: "postgresql",
  // References to a row may be made while it is held: that needs a key that stays, and no more.
  held: (query) => query.forNoKeyUpdate(),
  free: (query) => query.forNoKeyUpdate().skipLocked(),
  hurry: async (db) => void (await sql`set local lock_timeout = ${sql.lit(momentMilliseconds)}`.execute(db)),
  isSynchronous: false,
  prepare: (text) => void prepared.set(text, `bylaw-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`),
  isOneOf: (column, texts) => sql`${sql.ref(column)} = any (array(select json_array_elements_text(${texts})))`,
  records(list, columns) {
    const typed = Object.entries(columns).map(([column, type]) => sql`${sql.id(column)} ${sql.raw(type)}`);
    return sql`(select * from json_to_recordset(${list}) as records (${sql.join(typed)}))`;
  },
  rowsOf(table, columns, list) {
    const names = sql.join(columns.map((column) => sql.id(column)));
    return sql`(select ${names} from json_populate_recordset(cast(null as ${sql.table(table)}), ${list}))`;
  },
  jsonList: (columns) =>
    sql`cast(json_agg(json_build_array(${sql.join(columns.map((column) => sql.ref(column)))})) as text)`,
  isConflict: (problem) => problem instanceof pg.DatabaseError && conflicts.includes(problem.code),
};

function connect(url: string, bounds: PostgresBounds, lostConnection: (problem: Error) => void): Kysely<Tables> {
  const { connections, connectMilliseconds, statementMilliseconds } = bounds;
  const pool = new pg.Pool({
    connectionString: url,
    fallback_application_name: "bylaw",
    max: connections,
    connectionTimeoutMillis: connectMilliseconds,
    statement_timeout: statementMilliseconds,
    // A server that stops in the middle of a transaction holds no locks for long.
    idle_in_transaction_session_timeout: Math.min(statementMilliseconds, mostIdleMilliseconds),
    query_timeout: statementMilliseconds + silenceMilliseconds,
    keepAlive: true,
    types,
  });
  pool.on("error", lostConnection);
  // Also a connection that is lost between two statements of a transaction says so here; the next one fails by itself.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: discardingPool(pool) }) });
}

/**
 * A pool that takes back no connection on which a statement failed. It may still be open to a server that no longer
 * answers, or that a fail-over has made read-only; a new one finds the server that serves now.
 */
function discardingPool(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => new CheckedClient(await pool.connect()),
    end: () => pool.end(),
  };
}

class CheckedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  #failed = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  query<Row>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query(text: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== "string") throw new TypeError("The store reads no rows through cursors.");
    const name = prepared.get(text);
    const query = { text, values: [...parameters], ...(name === undefined ? {} : { name }) };
    return this.#client.query(query).catch((problem: unknown) => {
      this.#failed = true;
      throw problem;
    });
  }

  release(discard = false): void {
    this.#client.release(discard || this.#failed);
  }
}

/** Whole numbers of 64 bits come as text. One that a JavaScript number cannot hold is a fault, never rounded. */
function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError("The database holds a whole number that is too large.");
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8 && format !== "binary" ? wholeNumber : pg.types.getTypeParser(oid, format),
};
