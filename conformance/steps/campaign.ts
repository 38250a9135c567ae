import { randomUUID } from "node:crypto";
import { constants } from "../../generated/constants.ts";
import { operations } from "../../generated/operations.ts";
import { type MovedCampaign, movedCampaign } from "../arrangements/moved-campaign.ts";
import type { CheckContext } from "../context/context.ts";
import { dataOf, type Exchange, objectOf, summaryOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import { answeredBy } from "./answered-by.ts";
import { concludedBrand } from "./brand.ts";
import { eventuallyByClock } from "./settle.ts";

/** A campaign that was registered. */
export interface RegisteredCampaign {
  readonly id: string;
  readonly exchange: Exchange;
}

/** The body of a campaign of that brand, written as the target wants it. No two need be for the same. */
export const campaignBody = (t: CheckContext, brandId: string): unknown =>
  t.shapeRequest("createCampaign", {
    brand_id: brandId,
    description: `Tells customers of bakery ${randomUUID().slice(0, 8)} that their orders are ready.`,
  });

/** Registers a campaign, whatever the answer. */
export const callCampaign = (t: CheckContext, as: Credential, brandId: string): Promise<Exchange> =>
  t.call("createCampaign", { body: campaignBody(t, brandId) }, as);

/** Registers a campaign of a brand that is verified: a set-up step. Blocks when that is refused. */
export async function registerCampaign(t: CheckContext, as: Credential, brandId?: string): Promise<RegisteredCampaign> {
  const brand = brandId ?? (await concludedBrand(t, as, constants.verifiedBrand)).id;
  return campaignIn(t, await callCampaign(t, as, brand));
}

/** The campaign of an answer; blocks where it was refused or has no id. */
export function campaignIn(t: CheckContext, exchange: Exchange): RegisteredCampaign {
  if (answeredBy(exchange, "Forbidden"))
    throw new Blocked(
      `the registration of a campaign was answered ${summaryOf(exchange)}`,
      `give the kit a key that holds ${operations.createCampaign.scope}`,
    );
  const { id } = shownCampaign(t, "createCampaign", t.control(exchange, "registering a campaign"));
  if (id !== null) return { id, exchange };
  throw new Blocked("the campaign has no id", "say where the id stands: shapes in the target file", "server");
}

/** What an answer shows of a campaign; null what it does not. */
export function shownCampaign(t: CheckContext, operation: "createCampaign" | "getCampaign", exchange: Exchange) {
  const { id, status } = objectOf(t.shapeResponse(operation, dataOf(exchange))) ?? {};
  const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
  return { id: text(id), status: text(status) };
}

export const readCampaign = (t: CheckContext, as: Credential, id: string): Promise<Exchange> =>
  t.call("getCampaign", { path: { id } }, as);

/** The status of a campaign; null where it is not shown. */
export async function statusOfCampaign(t: CheckContext, as: Credential, id: string): Promise<string | null> {
  return shownCampaign(t, "getCampaign", t.control(await readCampaign(t, as, id), "reading a campaign")).status;
}

/** Has a campaign come to a stage; blocks where it does not show, but for one that is rejected, whose status is open. */
export async function moveCampaignTo(
  t: CheckContext,
  as: Credential,
  id: string,
  to: MovedCampaign["to"],
): Promise<void> {
  await as.tenant.arrange(movedCampaign, { campaign_id: id, to });
  const isThere = (status: string | null): boolean => to === "rejected" || status === to;
  const shown = await eventuallyByClock(t, as.tenant, "the stage of a campaign", async () =>
    isThere(await statusOfCampaign(t, as, id)) ? true : null,
  );
  if (shown !== null) return;
  const what = `a campaign has the status ${await statusOfCampaign(t, as, id)} after it was to become ${to}`;
  throw new Blocked(what, "see whether move_campaign, or the sandbox, does what it is asked");
}
