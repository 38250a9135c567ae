import type { Profile } from "../../domain/profiles/profile.ts";
import { columns } from "../columns.ts";
import { type Connection, type Given, statement } from "../engine/statement.ts";
import type { ProfileRow } from "../tables.ts";
import type { Profiles } from "../unit-of-work.ts";

const selectProfile = statement((db, given: Given<{ readonly organizationId: string; readonly id: string }>) =>
  db
    .selectFrom("profiles")
    .select(columns.profiles)
    .where("organization_id", "=", given("organizationId"))
    .where("id", "=", given("id")),
);

const selectProfiles = statement((db, given: Given<{ readonly organizationId: string }>) =>
  db.selectFrom("profiles").select(columns.profiles).where("organization_id", "=", given("organizationId")),
);

const putProfile = statement((db, given: Given<ProfileRow>) => {
  const known = { name: given("name"), timezone: given("timezone") };
  return db
    .insertInto("profiles")
    .values({ organization_id: given("organization_id"), id: given("id"), ...known })
    .onConflict((conflict) => conflict.columns(["organization_id", "id"]).doUpdateSet(known));
});

export const profilesOf = (on: Connection, organizationId: string): Profiles => ({
  find: (id) => findProfile(on, organizationId, id),

  async put({ id, name, timezone }) {
    const row = { organization_id: organizationId, id, name: name && JSON.stringify(name), timezone };
    await putProfile.run(on, row);
  },
});

/** Null where the user has not said anything yet. */
export async function findProfile(on: Connection, organizationId: string, id: string): Promise<Profile | null> {
  const row = await selectProfile.first(on, { organizationId, id });
  return row ? profileOf(row) : null;
}

/** All that users of an organization say of themselves. */
export async function profilesIn(on: Connection, organizationId: string): Promise<readonly Profile[]> {
  return (await selectProfiles.rows(on, { organizationId })).map(profileOf);
}

const profileOf = ({ organization_id: organizationId, id, name, timezone }: ProfileRow): Profile => ({
  organizationId,
  id,
  name: name === null ? null : nameOf(name),
  timezone,
});

function nameOf(text: string): string {
  const name: unknown = JSON.parse(text);
  if (typeof name === "string") return name;
  throw new Error("The database holds a profile whose name is no text.");
}
