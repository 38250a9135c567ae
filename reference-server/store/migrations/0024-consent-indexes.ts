import type { Kysely } from "kysely";

/** Hosted forms by their number, and by when they end, as double opt-ins: what is erased or kept no longer is found at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("hosted_forms_by_number")
    .on("hosted_forms")
    .columns(["organization_id", "phone_number"])
    .execute();
  for (const table of ["hosted_forms", "double_opt_ins"])
    await db.schema.createIndex(`${table}_by_end`).on(table).columns(["organization_id", "expires_at"]).execute();
}
