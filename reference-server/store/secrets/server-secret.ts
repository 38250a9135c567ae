import { type Connection, type Given, statement } from "../engine/statement.ts";
import type { ServerSecretRow } from "../tables.ts";

/** What the servers on one database keep secret together. */
export type ServerSecretName = "cursor-key";

const insertFirst = statement((db, given: Given<ServerSecretRow>) =>
  db
    .insertInto("server_secrets")
    .values({ name: given("name"), value: given("value") })
    .onConflict((conflict) => conflict.column("name").doNothing()),
);

const selectSecret = statement((db, given: Given<Pick<ServerSecretRow, "name">>) =>
  db.selectFrom("server_secrets").select("value").where("name", "=", given("name")),
);

/** The secret of this name. The one given becomes it when there is none. */
export async function serverSecret(on: Connection, name: ServerSecretName, first: Uint8Array): Promise<Uint8Array> {
  await insertFirst.run(on, { name, value: Buffer.from(first).toString("base64") });
  const row = await selectSecret.first(on, { name });
  if (row === undefined) throw new Error(`The database has lost the servers' secret ${name}.`);
  return Buffer.from(row.value, "base64");
}
