import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endDatabases, newDatabase } from "../bench/database.ts";
import type { SoakPlace } from "./run-soak.ts";
import { postgresDatabase, sqliteDatabase } from "./soak-database.ts";

export const engines = ["sqlite", "postgresql"] as const;

export type Engine = (typeof engines)[number];

/** An empty store of its own for a run. */
export interface OpenPlace extends SoakPlace {
  readonly name: string;
  remove(): Promise<void>;
}

/** A file for one server, or a database for two that share it. Throws what stopped it. */
export async function openPlace(engine: Engine): Promise<OpenPlace> {
  switch (engine) {
    case "sqlite": {
      const folder = mkdtempSync(join(tmpdir(), "bylaw-soak-"));
      const file = join(folder, "soak.db");
      return {
        name: "SQLite, one server",
        store: `sqlite:${file}`,
        servers: 1,
        database: sqliteDatabase(file),
        remove: async () => rmSync(folder, { recursive: true, force: true }),
      };
    }
    case "postgresql": {
      const { url, remove } = await newDatabase();
      return {
        name: "PostgreSQL, two servers",
        store: url,
        servers: 2,
        database: postgresDatabase(url),
        remove: () => remove().finally(endDatabases),
      };
    }
  }
}
