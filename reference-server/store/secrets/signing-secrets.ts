import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import type { Secrets } from "../unit-of-work.ts";
import { organizationSecretsOf } from "../webhook-rows.ts";

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
