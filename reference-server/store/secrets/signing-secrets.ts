import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import type { Secrets } from "../unit-of-work.ts";
import { organizationSecretsOf } from "../webhook-rows.ts";

const cursorKeyName = "cursor-key";

/** An organization's own secrets. Whoever calls holds the organization. */
export const secretsOf = (db: Kysely<Tables>, organizationId: string): Secrets => ({
  async find() {
    const row = await db
      .selectFrom("organization_secrets")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .executeTakeFirst();
    return row ? organizationSecretsOf(row) : null;
  },

  async put({ current, previous }) {
    const values = { current, previous: JSON.stringify(previous) };
    await db
      .insertInto("organization_secrets")
      .values({ organization_id: organizationId, ...values })
      .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(values))
      .execute();
  },
});

/** The key of cursors. The one given becomes it when there is none. */
export async function cursorKey(db: Kysely<Tables>, first: Uint8Array): Promise<Uint8Array> {
  await db
    .insertInto("server_secrets")
    .values({ name: cursorKeyName, value: Buffer.from(first).toString("base64") })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const { value } = await db
    .selectFrom("server_secrets")
    .select("value")
    .where("name", "=", cursorKeyName)
    .executeTakeFirstOrThrow();
  return Buffer.from(value, "base64");
}
