import { type Campaign, isCampaignStatus } from "../../domain/registration/campaign.ts";
import { columns } from "../columns.ts";
import { type Connection, type Given, insertion, statement } from "../engine/statement.ts";
import type { CampaignRow } from "../tables.ts";
import type { Campaigns } from "../unit-of-work.ts";
import { textOf } from "../webhook-rows.ts";
import { type RegistrationParts, registrationJobs } from "./registration-jobs.ts";

const insertCampaigns = insertion("campaigns", columns.campaigns);

type Named = { readonly id: string; readonly organizationId: string };

const selectCampaign = statement((db, given: Given<Named>) =>
  db
    .selectFrom("campaigns")
    .select(columns.campaigns)
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organizationId")),
);

const selectAll = statement((db, given: Given<Pick<Named, "organizationId">>) =>
  db.selectFrom("campaigns").select(columns.campaigns).where("organization_id", "=", given("organizationId")),
);

const updateStatus = statement((db, given: Given<Named & Pick<CampaignRow, "status">>) =>
  db
    .updateTable("campaigns")
    .set({ status: given("status") })
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organizationId")),
);

export function campaignsOf(parts: RegistrationParts): Campaigns {
  const { on, organizationId } = parts;
  const jobs = registrationJobs(parts);
  return {
    find: (id) => findCampaign(on, organizationId, id),

    async insert(campaign, reviewedAt) {
      await insertCampaigns.run(on, { rows: [rowOf(campaign)] });
      await jobs.add(campaign.id, reviewedAt);
    },

    async settle({ id, status }) {
      await updateStatus.run(on, { id, organizationId, status });
      await jobs.drop(id);
    },
  };
}

/** Null for an unknown campaign and for another organization's. */
export async function findCampaign(on: Connection, organizationId: string, id: string): Promise<Campaign | null> {
  const row = await selectCampaign.first(on, { id, organizationId });
  return row ? campaignOf(row) : null;
}

/** All campaigns of an organization. */
export const campaignsIn = async (on: Connection, organizationId: string): Promise<readonly Campaign[]> =>
  (await selectAll.rows(on, { organizationId })).map(campaignOf);

const rowOf = ({ id, organizationId, brandId, description, status, createdAt }: Campaign): CampaignRow => ({
  id,
  organization_id: organizationId,
  brand_id: brandId,
  description: JSON.stringify(description),
  status,
  created_at: createdAt,
});

export function campaignOf(row: CampaignRow): Campaign {
  const { id, organization_id: organizationId, brand_id: brandId, status, created_at: createdAt } = row;
  if (!isCampaignStatus(status)) throw new Error(`The database holds a campaign of unknown status ${status}.`);
  return { id, organizationId, brandId, description: textOf(row.description), status, createdAt };
}
