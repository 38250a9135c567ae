import type { Kysely } from "kysely";
import { keyOf, rowOfKey } from "../rows.ts";
import type { Tables } from "../tables.ts";
import type { Keys } from "../unit-of-work.ts";

export const keysOf = (db: Kysely<Tables>, organizationId: string): Keys => ({
  async find(id) {
    const row = await db
      .selectFrom("api_keys")
      .selectAll()
      .where("id", "=", id)
      .where("organization_id", "=", organizationId)
      .executeTakeFirst();
    return row ? keyOf(row) : null;
  },

  async insert(key) {
    await db.insertInto("api_keys").values(rowOfKey(key)).execute();
  },

  async update(id, key) {
    // Uses are noted beside units of work: none is undone.
    const { last_used_at: _, ...changes } = rowOfKey(key);
    await db
      .updateTable("api_keys")
      .set(changes)
      .where("id", "=", id)
      .where("organization_id", "=", organizationId)
      .execute();
  },
});
