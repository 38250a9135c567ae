import { columns } from "../columns.ts";
import { type Given, statement } from "../engine/statement.ts";
import { brandOf } from "../registration/brands.ts";
import { campaignOf } from "../registration/campaigns.ts";
import type { SqlWorkKind } from "./work-kind.ts";

type Ids = { readonly ids: readonly string[] };

const selectBrands = statement((db, given: Given<Ids>, { isOneOf }) =>
  db
    .selectFrom("brands")
    .select(columns.brands)
    .where(isOneOf("id", given("ids"))),
);

const selectCampaigns = statement((db, given: Given<Ids>, { isOneOf }) =>
  db
    .selectFrom("campaigns")
    .select(columns.campaigns)
    .where(isOneOf("id", given("ids"))),
);

/** Brands to verify and campaigns to review: a partition is all of an organization. Its jobs bear their ids. */
export const registrationWork: SqlWorkKind = {
  async open(on, ids) {
    return {
      open: ids,
      closed: [],
      async load(jobs, clock, { lease }) {
        const wanted = jobs.map(({ id }) => id);
        const brands = (await selectBrands.rows(on, { ids: wanted })).map(brandOf);
        const campaigns = (await selectCampaigns.rows(on, { ids: wanted })).map(campaignOf);
        const about = { kind: "registration", clock, lease } as const;
        return [
          ...brands.map((brand) => ({ ...brand, subject: { kind: "brand", brand } as const })),
          ...campaigns.map((campaign) => ({ ...campaign, subject: { kind: "campaign", campaign } as const })),
        ].map(({ id, organizationId, subject }) => ({
          id,
          claim: { ...about, organizationId, id, subject },
          forced: null,
        }));
      },
    };
  },

  // A unit of work has written what became of them.
  async record() {},
};
