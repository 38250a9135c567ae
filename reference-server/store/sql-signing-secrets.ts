import type { Kysely } from "kysely";
import { rotatedSecrets } from "../domain/organization-secrets.ts";
import { holdOrganization } from "./hold-organization.ts";
import type { RowLocks } from "./row-locks.ts";
import type { Tables } from "./tables.ts";
import { secretsOf } from "./webhook-rows.ts";
import type { WebhookStore } from "./webhook-store.ts";

const cursorKeyName = "cursor-key";

/** Secrets of organizations, and of the servers. */
export function signingSecretStore(
  db: Kysely<Tables>,
  locks: RowLocks,
): Pick<WebhookStore, "organizationSecrets" | "replaceOrganizationSecret" | "cursorKey"> {
  const secretsOfOrganization = (on: Kysely<Tables>, organizationId: string) =>
    on.selectFrom("organization_secrets").selectAll().where("organization_id", "=", organizationId);

  return {
    async organizationSecrets(organizationId, first) {
      const owned = secretsOfOrganization(db, organizationId);
      const known = await owned.executeTakeFirst();
      if (known) return secretsOf(known);
      await db
        .insertInto("organization_secrets")
        .values({ organization_id: organizationId, current: first, previous: "[]" })
        .onConflict((conflict) => conflict.column("organization_id").doNothing())
        .execute();
      return secretsOf(await owned.executeTakeFirstOrThrow());
    },

    async replaceOrganizationSecret(organizationId, secret, at, previousUntil) {
      return db.transaction().execute(async (transaction) => {
        await holdOrganization(transaction, locks, organizationId);
        const row = await secretsOfOrganization(transaction, organizationId).executeTakeFirst();
        const secrets = rotatedSecrets(row ? secretsOf(row) : null, secret, at, previousUntil);
        const values = { current: secrets.current, previous: JSON.stringify(secrets.previous) };
        await transaction
          .insertInto("organization_secrets")
          .values({ organization_id: organizationId, ...values })
          .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(values))
          .execute();
        return secrets;
      });
    },

    async cursorKey(first) {
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
    },
  };
}
