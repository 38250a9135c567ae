import { type CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../tables.ts";
import type { Engine } from "./engine.ts";

/** Where statements run: a database, or a transaction in it. */
export interface Connection {
  readonly db: Kysely<Tables>;
  readonly engine: Engine;
  /** The shorter way, where the engine answers at once; null where it does not. */
  readonly atOnce: AtOnce | null;
}

/** A database that answers at once, on its one connection. */
export interface AtOnce {
  /** Whether somebody else has the connection to itself; whoever comes then waits for it. */
  isTaken(): boolean;
  /** For when nobody else has the connection. */
  execute<Row>(text: string, parameters: readonly unknown[]): Executed<Row>;
  /** The same, once nobody else has it any more. */
  executeLater<Row>(text: string, parameters: readonly unknown[]): Promise<Executed<Row>>;
  /**
   * Does the work while it has the connection to itself, between this statement and a commit; all is undone where it
   * throws.
   */
  transaction<Result>(begin: string, work: () => Promise<Result>): Promise<Result>;
  /** Ends the connection, whoever has it; nothing is executed any more. */
  close(): Promise<void>;
  /** What builds statements of its own and has them executed so. */
  builder(execute: AtOnce["execute"]): Kysely<Tables>;
}

/** What a statement gave, and how many rows it changed. */
interface Executed<Row> {
  readonly rows: readonly Row[];
  readonly numAffectedRows?: number | bigint | undefined;
}

/** Holds the place of a parameter while a statement is built. */
export type Given<Parameters> = <Name extends keyof Parameters & string>(name: Name) => RawBuilder<Parameters[Name]>;

/** A query of Kysely's, or raw SQL. */
interface Built<Row> {
  compile(db: Kysely<Tables>): CompiledQuery<Row>;
}

type Build<Parameters, Row> = (db: Kysely<Tables>, given: Given<Parameters>, engine: Engine) => Built<Row>;

/** What a connection does again and again, each time with other parameters. */
export interface Statement<Parameters, Row> {
  rows(on: Connection, parameters: Parameters): Promise<readonly Row[]>;
  first(on: Connection, parameters: Parameters): Promise<Row | undefined>;
  /** Gives how many rows it has changed; for a statement that returns none of them. */
  run(on: Connection, parameters: Parameters): Promise<number>;
}

class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A statement that is built and compiled once for each engine, and prepared by the database: all of it takes longer than
 * most executions. Lists and records travel as JSON in one parameter (`Engine.isOneOf`, `Engine.records`), so that their
 * length makes no other statement. It names its columns: those that a newer server adds change nothing of what was
 * prepared.
 */
export function statement<Parameters extends object, Row>(build: Build<Parameters, Row>): Statement<Parameters, Row> {
  const compiled = new WeakMap<Engine, CompiledQuery<Row>>();

  function compile({ db, engine }: Connection): CompiledQuery<Row> {
    const query = build(db, (name) => sql`${new Parameter(name)}`, engine).compile(db);
    engine.prepare(query.sql);
    compiled.set(engine, query);
    return query;
  }

  /** Not promised where the engine answers at once: most of what a request waits for would be such promises. */
  function execute(on: Connection, parameters: Parameters): Promise<Executed<Row>> | Executed<Row> {
    const { query, queryId, sql, parameters: places } = compiled.get(on.engine) ?? compile(on);
    const given = places.map((place) =>
      place instanceof Parameter ? sent(Reflect.get(parameters, place.name)) : place,
    );
    const { atOnce } = on;
    if (atOnce === null) return on.db.executeQuery<Row>({ query, queryId, sql, parameters: given });
    return atOnce.isTaken() ? atOnce.executeLater<Row>(sql, given) : atOnce.execute<Row>(sql, given);
  }

  return {
    async rows(on, parameters) {
      const executed = execute(on, parameters);
      return executed instanceof Promise ? (await executed).rows : executed.rows;
    },
    async first(on, parameters) {
      const executed = execute(on, parameters);
      return executed instanceof Promise ? (await executed).rows[0] : executed.rows[0];
    },
    async run(on, parameters) {
      const executed = execute(on, parameters);
      return Number((executed instanceof Promise ? await executed : executed).numAffectedRows ?? 0);
    },
  };
}

/** Statements of which there are several shapes, each of which is made when it is first asked for. */
export function perShape<Shape, Made>(make: (shape: Shape) => Made): (shape: Shape) => Made {
  const made = new Map<Shape, Made>();
  return (shape) => {
    const known = made.get(shape) ?? make(shape);
    made.set(shape, known);
    return known;
  };
}

const sent = (value: unknown): unknown => (typeof value === "object" && value !== null ? JSON.stringify(value) : value);

/** Does all of it in one transaction. */
export const inTransaction = <Result>(on: Connection, work: (on: Connection) => Promise<Result>): Promise<Result> =>
  on.atOnce === null
    ? on.db.transaction().execute((db) => work({ ...on, db }))
    : within(on, on.atOnce, "begin immediate", work);

/** Reads all of it as of one instant: by default PostgreSQL shows each statement of a transaction another one. */
export function asOfOneInstant<Result>(on: Connection, work: (on: Connection) => Promise<Result>): Promise<Result> {
  if (on.atOnce !== null) return within(on, on.atOnce, "begin", work);
  const view = on.db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  return view.execute((db) => work({ ...on, db }));
}

/**
 * A transaction has the connection to itself; what comes when it is over is refused, as it is everywhere. One that may
 * write begins so at once: if it had read before it first wrote, it would fail, without waiting, where another process
 * has written in between.
 */
function within<Result>(
  on: Connection,
  atOnce: AtOnce,
  begin: "begin" | "begin immediate",
  work: (on: Connection) => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const own: AtOnce = {
    isTaken: () => false,
    execute(text, parameters) {
      if (isOver)
        throw new Error("The transaction is already committed or rolled back: await what belongs to it within it.");
      return atOnce.execute(text, parameters);
    },
    executeLater: async (text, parameters) => own.execute(text, parameters),
    transaction: () => Promise.reject(new Error("A transaction cannot begin within another.")),
    close: () => Promise.reject(new Error("A transaction does not end its connection.")),
    builder: atOnce.builder,
  };
  let db: Kysely<Tables> | null = null;
  const inside: Connection = {
    engine: on.engine,
    atOnce: own,
    // Made for who asks: nearly all that is executed is a statement that was compiled before.
    get db() {
      db ??= atOnce.builder(own.execute);
      return db;
    },
  };
  return atOnce.transaction(begin, async () => {
    try {
      return await work(inside);
    } finally {
      isOver = true;
    }
  });
}

/** Inserts whole rows, as many as are given. */
export function insertion<Table extends keyof Tables>(
  table: Table,
  columns: readonly (keyof Tables[Table] & string)[],
) {
  type Row = Tables[Table] & object;
  const many = statement((_, given: Given<{ readonly rows: readonly Row[] }>, engine) =>
    insertRows(table, columns, given("rows"), engine),
  );
  // Most insertions are of one row, which can take longer to read out of a list than to insert.
  const one = statement((_, given: Given<Row>) => {
    const values = columns.map((column) => given(column));
    return sql`insert into ${sql.table(table)} (${namesOf(columns)}) values (${sql.join(values)})`;
  });
  return {
    async run(on: Connection, { rows }: { readonly rows: readonly Row[] }): Promise<number> {
      const [first] = rows;
      return first !== undefined && rows.length === 1 ? one.run(on, first) : many.run(on, { rows });
    },
  };
}

const namesOf = (columns: readonly string[]): RawBuilder<unknown> => sql.join(columns.map((column) => sql.id(column)));

/** The beginning of a statement that inserts rows; what is to happen to those that are there already may follow. */
export function insertRows<Table extends keyof Tables>(
  table: Table,
  columns: readonly (keyof Tables[Table] & string)[],
  rows: RawBuilder<readonly unknown[]>,
  engine: Engine,
): RawBuilder<unknown> {
  const names = namesOf(columns);
  return sql`insert into ${sql.table(table)} (${names}) select ${names} from ${engine.rowsOf(table, columns, rows)} as given where 1 = 1`;
}
