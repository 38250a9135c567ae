import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import type { Mutant } from "../edit.ts";
import { inPlaceOf, onAnswer, parsed, refusedWith } from "../wire.ts";
import { withRequestBody } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const domain = "domain/phone-numbers/number-campaign.ts";
const routes = "routes/phone-numbers.ts";

/** Servers that have numbers send for campaigns that they should not, or refuse others. */
export const numberCampaignMutants: readonly Mutant[] = [
  wireMutant("NUM-42", "ignored", "overlooks a campaign that it does not know", (serve) => (request) => {
    const isMeant = request.operation === "orderPhoneNumbers" || request.operation === "updatePhoneNumber";
    const { campaign_id: campaign, ...body } = Object(parsed(request.bytes));
    return serve(isMeant && campaign !== undefined ? withRequestBody(request, body) : request);
  }),
  mutant(
    "NUM-10",
    "any",
    "orders numbers for campaigns that are not active",
    domain,
    'if (campaign.status !== constants.activeCampaign) return refuse.CampaignNotActive("The campaign is not active.");',
    "",
  ),
  mutant(
    "NUM-10",
    "expired",
    "orders numbers for campaigns that have expired",
    domain,
    "campaign.status !== constants.activeCampaign",
    "campaign.status === constants.pendingCampaign",
  ),
  wireMutant(
    "NUM-10",
    "missing",
    "does not find a campaign that is not active",
    inPlaceOf("orderPhoneNumbers", "CampaignNotActive", refuse.NotFound("There is no such campaign.")),
  ),
  mutant(
    "NUM-11",
    "any",
    "orders numbers for campaigns of brands that are not verified",
    domain,
    "return refuseUnverified(brand);",
    "return null;",
  ),
  wireMutant(
    "NUM-11",
    "inactive",
    "calls a campaign inactive whose brand is not verified",
    inPlaceOf("orderPhoneNumbers", "BrandNotVerified", refuse.CampaignNotActive("It is not active.")),
  ),
  wireMutant(
    "NUM-44",
    "none",
    "meets no order with a campaign",
    onAnswer("orderPhoneNumbers", (answer, { bytes }) =>
      answer.status < 300 && Object(parsed(bytes)).campaign_id !== undefined
        ? refusedWith(answer, refuse.CampaignNotActive("Not yet."))
        : answer,
    ),
  ),
  wireMutant(
    "NUM-45",
    "none",
    "takes no campaign in an update",
    onAnswer("updatePhoneNumber", (answer, { bytes }) =>
      answer.status < 300 && Object(parsed(bytes)).campaign_id !== undefined
        ? refusedWith(answer, refuse.InvalidInput("campaign_id cannot be changed."))
        : answer,
    ),
  ),
  wireMutant("NUM-45", "dropped", "takes an update without the campaign that it names", (serve) => (request) => {
    const { campaign_id: _, ...body } = Object(parsed(request.bytes));
    return serve(request.operation === "updatePhoneNumber" ? withRequestBody(request, body) : request);
  }),
  wireMutant(
    "NUM-46",
    "invalid",
    "calls a campaign invalid that is not active",
    inPlaceOf(
      "updatePhoneNumber",
      "CampaignNotActive",
      refuse.ValidationFailed("Not valid.", { campaign_id: "is not active" }),
    ),
  ),
  mutantOf("NUM-20", "once", "attaches to a number whatever it was attached to once", [
    {
      file: routes,
      find: "const campaignId = await campaignOf(tx, body.campaign_id);",
      replace: `const pair = \`\${number.id} \${body.campaign_id.toLowerCase()}\`;
        const campaignId = attachedOnce.has(pair)
          ? body.campaign_id.toLowerCase()
          : await campaignOf(tx, body.campaign_id);
        if (!(campaignId instanceof Refusal)) attachedOnce.add(pair);`,
    },
    {
      file: routes,
      find: "const searchSize = 20;",
      replace: "const searchSize = 20;\n\nconst attachedOnce = new Set<string>();",
    },
  ]),
  mutant(
    "NUM-59",
    "any",
    "takes whatever campaign an update names",
    "routes/phone-numbers.ts",
    'const campaignId = typeof wanted === "string" ? await campaignOf(tx, wanted) : wanted;',
    `const found = typeof wanted === "string" ? await tx.campaigns.find(wanted.toLowerCase()) : null;
        const campaignId = typeof wanted === "string" ? (found?.id ?? campaignNotFound()) : wanted;`,
  ),
  mutant(
    "NUM-59",
    "expired",
    "takes a campaign that was active once when an update names it",
    "routes/phone-numbers.ts",
    'const campaignId = typeof wanted === "string" ? await campaignOf(tx, wanted) : wanted;',
    `const found = typeof wanted === "string" ? await tx.campaigns.find(wanted.toLowerCase()) : null;
        const campaignId =
          typeof wanted !== "string" ? wanted : found?.status === "${constants.expiredCampaign}" ? found.id : await campaignOf(tx, wanted);`,
  ),
  mutant(
    "NUM-06",
    "for-campaign",
    "charges an order for a campaign that cannot be met",
    routes,
    "if (unavailable.length > 0) return shortOrder(wanted.length - unavailable.length, unavailable);",
    `if (unavailable.length > 0 && campaign !== null) await charge(tx, rentEntry(order, 1));
        if (unavailable.length > 0) return shortOrder(wanted.length - unavailable.length, unavailable);`,
  ),
  mutantOf("NUM-03", "for-campaign", "assigns numbers for a campaign before it looks for credit", [
    {
      file: routes,
      symbol: "orderPhoneNumbers",
      find: "if (uncovered !== null) return uncovered;",
      replace: `if (uncovered !== null && campaign !== null) await phoneNumbers.insert(numbersOf(order, wanted, ids, campaign));
        if (uncovered !== null) return uncovered;`,
    },
  ]),
];
