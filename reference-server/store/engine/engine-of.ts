import { type Kysely, PostgresAdapter } from "kysely";
import type { Engine } from "./engine.ts";

/** The engine of the database behind a connection, for migrations: a dialect is told by its adapter. */
export const engineOf = (db: Kysely<unknown>): Engine["name"] =>
  db.getExecutor().adapter instanceof PostgresAdapter ? "postgresql" : "sqlite";
