import { type Brand, isIdentityStatus } from "../../domain/registration/brand.ts";
import { columns } from "../columns.ts";
import { type Connection, type Given, insertion, statement } from "../engine/statement.ts";
import type { BrandRow } from "../tables.ts";
import type { Brands } from "../unit-of-work.ts";
import { textOf } from "../webhook-rows.ts";
import { type RegistrationParts, registrationJobs } from "./registration-jobs.ts";

const insertBrands = insertion("brands", columns.brands);

type Named = { readonly id: string; readonly organizationId: string };

const selectBrand = statement((db, given: Given<Named>) =>
  db
    .selectFrom("brands")
    .select(columns.brands)
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organizationId")),
);

const selectAll = statement((db, given: Given<Pick<Named, "organizationId">>) =>
  db.selectFrom("brands").select(columns.brands).where("organization_id", "=", given("organizationId")),
);

const countAll = statement((db, given: Given<Pick<Named, "organizationId">>) =>
  db
    .selectFrom("brands")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("organization_id", "=", given("organizationId")),
);

const updateStatus = statement((db, given: Given<Named & Pick<BrandRow, "identity_status">>) =>
  db
    .updateTable("brands")
    .set({ identity_status: given("identity_status") })
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organizationId")),
);

export function brandsOf(parts: RegistrationParts): Brands {
  const { on, organizationId } = parts;
  const jobs = registrationJobs(parts);
  return {
    find: (id) => findBrand(on, organizationId, id),

    async count() {
      return (await countAll.first(on, { organizationId }))?.count ?? 0;
    },

    async insert(brand, verifiedAt) {
      await insertBrands.run(on, { rows: [rowOf(brand)] });
      await jobs.add(brand.id, verifiedAt);
    },

    async conclude({ id, identityStatus: identity_status }) {
      await updateStatus.run(on, { id, organizationId, identity_status });
      await jobs.drop(id);
    },
  };
}

/** Null for an unknown brand and for another organization's. */
export async function findBrand(on: Connection, organizationId: string, id: string): Promise<Brand | null> {
  const row = await selectBrand.first(on, { id, organizationId });
  return row ? brandOf(row) : null;
}

/** All brands of an organization. */
export const brandsIn = async (on: Connection, organizationId: string): Promise<readonly Brand[]> =>
  (await selectAll.rows(on, { organizationId })).map(brandOf);

const rowOf = ({ id, organizationId, name, identityStatus, createdAt }: Brand): BrandRow => ({
  id,
  organization_id: organizationId,
  name: JSON.stringify(name),
  identity_status: identityStatus,
  created_at: createdAt,
});

export function brandOf(row: BrandRow): Brand {
  const { id, organization_id: organizationId, identity_status: identityStatus, created_at: createdAt } = row;
  if (!isIdentityStatus(identityStatus)) throw new Error(`The database holds a brand of unknown ${identityStatus}.`);
  return { id, organizationId, name: textOf(row.name), identityStatus, createdAt };
}
