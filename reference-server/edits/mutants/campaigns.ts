import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import type { Brand } from "../../domain/registration/brand.ts";
import type { Campaign } from "../../domain/registration/campaign.ts";
import type { UnitOfWork } from "../../store/unit-of-work.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { addingDetails, dataOf, inPlaceOf, onAnswer, refusedWith, withData } from "../wire.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

/** Has campaigns find another brand than the one that is meant; `change` is called for each server. */
const findingBrands = (
  change: () => (brand: Brand | null, id: string, tx: UnitOfWork) => Promise<Brand | null> | Brand | null,
): PortChange =>
  working(() => {
    const changed = change();
    return (tx) => ({
      brands: withMembers(tx.brands, { find: async (id) => changed(await tx.brands.find(id), id, tx) }),
    });
  });

/** Servers that register campaigns that they should not, refuse others, or know them badly. */
export const campaignMutants: readonly Mutant[] = [
  mutantOf("BRD-07", "any", "takes campaigns of any brand", [
    findingBrands(() => (brand) => brand && { ...brand, identityStatus: constants.verifiedBrand }),
  ]),
  mutantOf("BRD-07", "failed", "takes campaigns of a brand whose verification failed", [
    findingBrands(
      () => (brand) =>
        brand?.identityStatus === "UNVERIFIED" ? { ...brand, identityStatus: constants.verifiedBrand } : brand,
    ),
  ]),
  mutantOf("BRD-07", "waiting", "takes campaigns of a brand that is still to be verified", [
    findingBrands(
      () => (brand) =>
        brand?.identityStatus === "SELF_DECLARED" ? { ...brand, identityStatus: constants.verifiedBrand } : brand,
    ),
  ]),
  wireMutant(
    "BRD-07",
    "details",
    "gives details of a brand that is not verified",
    addingDetails("createCampaign", "BrandNotVerified"),
  ),
  wireMutant(
    "BRD-07",
    "conflict",
    "calls a brand that is not verified a conflict",
    inPlaceOf("createCampaign", "BrandNotVerified", refuse.Conflict("Not yet.")),
  ),
  mutantOf("BRD-08", "vetted-only", "wants brands vetted", [
    findingBrands(
      () => (brand) =>
        brand?.identityStatus === constants.verifiedBrand ? { ...brand, identityStatus: "UNVERIFIED" } : brand,
    ),
  ]),
  mutantOf("BRD-09", "exactly", "knows one status of a verified brand only", [
    findingBrands(
      () => (brand) =>
        brand?.identityStatus === constants.vettedBrand ? { ...brand, identityStatus: "UNVERIFIED" } : brand,
    ),
  ]),
  mutantOf("BRD-24", "kept", "keeps the campaign that it refuses", [
    findingBrands(() => async (brand, _id, tx) => {
      const isMeant = brand?.identityStatus === "UNVERIFIED" || brand?.identityStatus === "SELF_DECLARED";
      if (brand !== null && isMeant) {
        const { id: brandId, organizationId } = brand;
        const about = {
          brandId,
          organizationId,
          description: "x",
          status: constants.pendingCampaign,
          createdAt: 0,
        } as const;
        await tx.campaigns.insert({ ...about, id: randomUUID() }, 0);
      }
      return brand;
    }),
  ]),
  mutantOf("BRD-25", "anybodys", "tells of another organization's brand that it is not verified", [
    {
      ports(ports) {
        const all = new Map<string, Brand>();
        const noting = working(() => (tx) => ({
          brands: withMembers(tx.brands, {
            async insert(brand, verifiedAt) {
              await tx.brands.insert(brand, verifiedAt);
              all.set(brand.id, brand);
            },
            find: async (id) => (await tx.brands.find(id)) ?? all.get(id) ?? null,
          }),
        }));
        return noting.ports(ports);
      },
    },
  ]),
  wireMutant(
    "BRD-26",
    "forgets",
    "finds no campaign",
    onAnswer("getCampaign", (answer) =>
      answer.status < 300 ? refusedWith(answer, refuse.NotFound("There is no such campaign.")) : answer,
    ),
  ),
  wireMutant(
    "BRD-26",
    "malformed",
    "finds no campaign under a malformed id",
    inPlaceOf("getCampaign", "ValidationFailed400", refuse.NotFound("There is no such campaign.")),
  ),
  wireMutant("BRD-27", "latest", "shows the latest campaign whichever is asked for", (serve) => {
    let latest: unknown = null;
    return async (request) => {
      const answer = await serve(request);
      const data = dataOf(answer);
      if (request.operation === "createCampaign" && data !== null) latest = data;
      return request.operation === "getCampaign" && data !== null ? withData(answer, latest) : answer;
    };
  }),
  mutantOf("BRD-29", "shown", "shows campaigns of all organizations", [
    {
      ports(ports) {
        const { store } = ports;
        const all = new Map<string, Campaign>();
        const noting = working(() => (tx) => ({
          campaigns: withMembers(tx.campaigns, {
            async insert(campaign, reviewedAt) {
              await tx.campaigns.insert(campaign, reviewedAt);
              all.set(campaign.id, campaign);
            },
          }),
        }));
        const campaign: typeof store.campaign = async (organizationId, id) =>
          (await store.campaign(organizationId, id)) ?? all.get(id) ?? null;
        return storing(() => ({ campaign })).ports(noting.ports(ports));
      },
    },
  ]),
];
