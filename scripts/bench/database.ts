import { randomBytes } from "node:crypto";
import pg from "pg";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../reference-server/store/engine/embedded/embedded-postgres.ts";

/** A new empty database. */
export interface Database {
  readonly url: string;
  remove(): Promise<void>;
}

/** Started for the first database, and shared by all. */
let embedded: Promise<EmbeddedPostgres> | null = null;

/** In the PostgreSQL that `DATABASE_URL` names, else in one that is started for it. Throws what stopped it. */
export async function newDatabase(): Promise<Database> {
  const { DATABASE_URL: given = "" } = process.env;
  embedded ??= given === "" ? startEmbeddedPostgres() : null;
  const server = embedded === null ? given : (await embedded).url;
  const name = `bylaw_bench_${randomBytes(8).toString("hex")}`;
  await execute(server, `create database ${name}`);
  return {
    url: Object.assign(new URL(server), { pathname: name }).href,
    remove: () => execute(server, `drop database if exists ${name} with (force)`),
  };
}

/** Ends the PostgreSQL that was started. Until then this process goes on. */
export async function endDatabases(): Promise<void> {
  const started = await embedded?.catch(() => null);
  embedded = null;
  await started?.remove();
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
