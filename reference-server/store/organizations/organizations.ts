import type { AutoTopUp } from "../../domain/organizations/auto-top-up.ts";
import type { Organization, OutageKind } from "../../domain/organizations/organization.ts";
import { columns } from "../columns.ts";
import { type Connection, type Given, insertion, statement } from "../engine/statement.ts";
import { organizationOf, rowOfOrganization } from "../rows.ts";

/** All columns of an organization but its id, which whatever belongs to it has as `organization_id`. */
export const organizationSettings = [
  "organizations.plan",
  "organizations.kind",
  "organizations.is_reseller",
  "organizations.manual_clock",
  "organizations.limit_sizes",
  "organizations.quiet_hours",
  "organizations.outage_calls",
  "organizations.lookup_outage_calls",
  "organizations.portal_outage_calls",
  "organizations.min_topup_cents",
  "organizations.auto_top_up",
] as const;

/** Where an organization's outages are counted. */
const outageColumns = {
  unhandled_error: "outage_calls",
  lookup: "lookup_outage_calls",
  billing_portal: "portal_outage_calls",
} as const satisfies Record<OutageKind, string>;

const insertOrganizations = insertion("organizations", columns.organizations);

const selectOrganization = statement((db, given: Given<{ readonly id: string }>) =>
  db.selectFrom("organizations").select(columns.organizations).where("id", "=", given("id")),
);

/** The same, and nobody else changes it until the transaction ends. */
const holdOrganization = statement((db, given: Given<{ readonly id: string }>, engine) =>
  engine.held(db.selectFrom("organizations").select(columns.organizations).where("id", "=", given("id"))),
);

const deleteRow = statement((db, given: Given<{ readonly id: string }>) =>
  db.deleteFrom("organizations").where("id", "=", given("id")).returning(columns.organizations),
);

const deleteJobs = statement((db, given: Given<{ readonly organizationId: string }>) =>
  db
    .deleteFrom("jobs")
    .where("partition_id", "in", (db) =>
      db.selectFrom("job_partitions").select("id").where("organization_id", "=", given("organizationId")),
    ),
);

const deleteAttempts = statement((db, given: Given<{ readonly organizationId: string }>) =>
  db.deleteFrom("delivery_attempts").where("organization_id", "=", given("organizationId")),
);

const updateClock = statement((db, given: Given<{ readonly id: string; readonly at: number }>) =>
  db
    .updateTable("organizations")
    .set({ manual_clock: given("at") })
    .where("id", "=", given("id")),
);

const updateAutoTopUp = statement((db, given: Given<{ readonly id: string; readonly autoTopUp: string | null }>) =>
  db
    .updateTable("organizations")
    .set({ auto_top_up: given("autoTopUp") })
    .where("id", "=", given("id")),
);

const updateReseller = statement((db, given: Given<{ readonly id: string; readonly isReseller: number }>) =>
  db
    .updateTable("organizations")
    .set({ is_reseller: given("isReseller") })
    .where("id", "=", given("id")),
);

const updateOutage = byOutage((column) =>
  statement((db, given: Given<{ readonly id: string; readonly calls: number }>) =>
    db
      .updateTable("organizations")
      .set({ [column]: given("calls") })
      .where("id", "=", given("id")),
  ),
);

const takeCall = byOutage((column) =>
  statement((db, given: Given<{ readonly id: string }>) =>
    db
      .updateTable("organizations")
      .set((at) => ({ [column]: at(column, "-", 1) }))
      .where("id", "=", given("id"))
      .where(column, ">", 0),
  ),
);

function byOutage<Made>(
  make: (column: (typeof outageColumns)[OutageKind]) => Made,
): Readonly<Record<OutageKind, Made>> {
  return {
    unhandled_error: make(outageColumns.unhandled_error),
    lookup: make(outageColumns.lookup),
    billing_portal: make(outageColumns.billing_portal),
  };
}

export async function insertOrganization(on: Connection, organization: Organization): Promise<void> {
  await insertOrganizations.run(on, { rows: [rowOfOrganization(organization)] });
}

export async function findOrganization(on: Connection, id: string, held?: "held"): Promise<Organization | null> {
  const row = await (held === "held" ? holdOrganization : selectOrganization).first(on, { id });
  return row ? organizationOf(row, row.id) : null;
}

/** Deletes an organization, with what of it the database deletes by itself and with its attempts. */
export async function deleteOrganization(on: Connection, id: string): Promise<Organization | null> {
  // Nobody adds work meanwhile. It goes before its partitions, in the order in which whoever settles it takes them too.
  await findOrganization(on, id, "held");
  await deleteJobs.run(on, { organizationId: id });
  const row = await deleteRow.first(on, { id });
  // With its deliveries gone, no further attempt is recorded.
  await deleteAttempts.run(on, { organizationId: id });
  return row ? organizationOf(row, row.id) : null;
}

/** Has a manual clock show this instant. */
export async function moveClock(on: Connection, id: string, at: number): Promise<void> {
  await updateClock.run(on, { id, at });
}

export async function setReseller(on: Connection, id: string, isReseller: boolean): Promise<void> {
  await updateReseller.run(on, { id, isReseller: isReseller ? 1 : 0 });
}

export async function setOutage(on: Connection, id: string, kind: OutageKind, calls: number): Promise<void> {
  await updateOutage[kind].run(on, { id, calls });
}

/** Has the wallet top itself up like this; null for no longer. */
export async function setAutoTopUp(on: Connection, id: string, autoTopUp: AutoTopUp | null): Promise<void> {
  await updateAutoTopUp.run(on, { id, autoTopUp: autoTopUp && JSON.stringify(autoTopUp) });
}

/** Uses up one call of a set outage; false when none is left. */
export const takeOutage = async (on: Connection, id: string, kind: OutageKind): Promise<boolean> =>
  (await takeCall[kind].run(on, { id })) > 0;
