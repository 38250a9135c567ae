import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { openStore } from "../../reference-server/store/open-store.ts";
import type { Store } from "../../reference-server/store/store.ts";
import { newDatabase } from "./database.ts";

export type EngineName = "SQLite" | "PostgreSQL";

/** A store, and a way around it to fill it with more than it would take one by one. */
export interface BenchStore {
  /** As `openStore` takes it; it may hold a password. */
  readonly place: string;
  readonly store: Store;
  /** Runs a statement without a time-out. Gives its rows. */
  execute(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Ends the way around; whoever uses the store closes that. */
  closeAccess(): Promise<void>;
}

/** Makes stores of one engine; `remove` deletes them all. */
export interface BenchEngine {
  readonly name: EngineName;
  /** An empty one. */
  newStore(): Promise<BenchStore>;
  remove(): Promise<void>;
}

/** Stores that are files in a folder. */
export function sqliteEngine(folder: string): BenchEngine {
  let files = 0;
  return {
    name: "SQLite",
    async newStore() {
      const file = join(folder, `bench-${files++}.db`);
      const place = `sqlite:${file}`;
      const store = await openStore(place);
      const database = new DatabaseSync(file, { timeout: 10_000 });
      // As the store's own connection has it.
      database.exec("pragma synchronous = normal");
      return {
        place,
        store,
        execute: async (statement) => database.prepare(statement).all(),
        closeAccess: async () => database.close(),
      };
    },
    remove: async () => undefined,
  };
}

/** Stores that are databases of one PostgreSQL. Throws what keeps it from starting. */
export async function postgresEngine(): Promise<BenchEngine> {
  const { url, remove } = await newDatabase();
  const made: string[] = [];
  const main = await connected(url);
  return {
    name: "PostgreSQL",
    async newStore() {
      const name = `${new URL(url).pathname.slice(1)}_${made.length}`;
      await main.query(`create database ${name}`);
      made.push(name);
      const place = Object.assign(new URL(url), { pathname: name }).href;
      const store = await openStore(place);
      const client = await connected(place);
      return {
        place,
        store,
        execute: async (statement) => (await client.query(statement)).rows,
        closeAccess: () => client.end(),
      };
    },
    async remove() {
      for (const name of made) await main.query(`drop database if exists ${name} with (force)`);
      await main.end();
      await remove();
    },
  };
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}
