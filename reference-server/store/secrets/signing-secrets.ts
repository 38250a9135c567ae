import { columns } from "../columns.ts";
import type { OrganizationSecretsRow } from "../delivery-tables.ts";
import { type Connection, type Given, statement } from "../engine/statement.ts";
import type { Secrets } from "../unit-of-work.ts";
import { organizationSecretsOf } from "../webhook-rows.ts";

export const selectSecrets = statement((db, given: Given<{ readonly organizationId: string }>) =>
  db
    .selectFrom("organization_secrets")
    .select(columns.organization_secrets)
    .where("organization_id", "=", given("organizationId")),
);

const putSecrets = statement((db, given: Given<OrganizationSecretsRow>) => {
  const values = { current: given("current"), previous: given("previous") };
  return db
    .insertInto("organization_secrets")
    .values({ organization_id: given("organization_id"), ...values })
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(values));
});

/** An organization's own secrets. Whoever calls holds the organization. */
export const secretsOf = (on: Connection, organizationId: string): Secrets => ({
  async find() {
    const row = await selectSecrets.first(on, { organizationId });
    return row ? organizationSecretsOf(row) : null;
  },

  async put({ current, previous }) {
    await putSecrets.run(on, { organization_id: organizationId, current, previous: JSON.stringify(previous) });
  },
});
