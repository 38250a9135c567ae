import { randomBytes } from "node:crypto";
import pg from "pg";
import { startEmbeddedPostgres } from "../../reference-server/store/engine/embedded/embedded-postgres.ts";

/** A new empty database. */
export interface Database {
  readonly url: string;
  remove(): Promise<void>;
}

/** In the PostgreSQL that `DATABASE_URL` names, else in one that is started for it. Throws what stopped it. */
export async function newDatabase(): Promise<Database> {
  const { DATABASE_URL: given = "" } = process.env;
  if (given === "") return startEmbeddedPostgres();
  const name = `bylaw_bench_${randomBytes(8).toString("hex")}`;
  await execute(given, `create database ${name}`);
  return {
    url: Object.assign(new URL(given), { pathname: name }).href,
    remove: () => execute(given, `drop database if exists ${name} with (force)`),
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
