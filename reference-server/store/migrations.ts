import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Kysely } from "kysely";
import { FileMigrationProvider, Migrator } from "kysely/migration";
import type { Tables } from "./tables.ts";

/**
 * Every file of `migrations/`, by its name; none is listed. They run in the order of their names; one that was released
 * never changes. One that comes in between those that have run already, since it was written beside them, runs after
 * them: none may stand on another of the same time.
 */
export const migrations = new FileMigrationProvider({
  fs: { readdir },
  path: { join },
  migrationFolder: join(import.meta.dirname, "migrations"),
  import: (path) => import(pathToFileURL(path).href),
  onFileIgnored(file, reason) {
    throw new Error(`migrations/${file} is no migration (${reason}): give it an \`up\`, or move it elsewhere.`);
  },
});

/** Brings the tables up to date, or to what they were after the migration of that name; throws what stopped it. */
export async function migrate(db: Kysely<Tables>, last?: string): Promise<void> {
  const migrator = new Migrator({ db, provider: migrations, allowUnorderedMigrations: true });
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (error !== undefined) throw error;
}
