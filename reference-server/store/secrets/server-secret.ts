import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** What the servers on one database keep secret together. */
export type ServerSecretName = "cursor-key";

/** The secret of this name. The one given becomes it when there is none. */
export async function serverSecret(db: Kysely<Tables>, name: ServerSecretName, first: Uint8Array): Promise<Uint8Array> {
  await db
    .insertInto("server_secrets")
    .values({ name, value: Buffer.from(first).toString("base64") })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const { value } = await db
    .selectFrom("server_secrets")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return Buffer.from(value, "base64");
}
