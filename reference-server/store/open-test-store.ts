import { inject } from "vitest";
import { openPostgres } from "./engine/postgres.ts";
import { openSqlite } from "./engine/sqlite.ts";
import type { Store } from "./store.ts";
import "./test-databases.ts";

/** A new empty store on the engine that the test project names. */
export async function openTestStore(): Promise<Store> {
  switch (inject("engine")) {
    case "sqlite":
      return openSqlite(":memory:");
    case "postgresql":
      return openPostgres(await newTestDatabase());
  }
}

/** The URL of a new empty database in PostgreSQL; for tests of the project "postgresql". */
export async function newTestDatabase(): Promise<string> {
  const answer = await fetch(inject("databases"));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
