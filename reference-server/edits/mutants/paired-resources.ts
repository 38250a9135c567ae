import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import type { Mutant } from "../edit.ts";
import { refusedWith } from "../wire.ts";
import { bodyOf, queryOf, withRequestBody } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const routes = "routes/phone-numbers.ts";
const { listDeliveryAttempts, updatePhoneNumber } = operations;

/** Looks at a campaign once, and does not again for an order, or an attachment, of one that a number sends for. */
const trusting = (name: "order" | "attachment"): readonly [string, string] =>
  name === "order"
    ? [
        "const campaign = campaignId === undefined ? null : await campaignOf(tx, campaignId);",
        'const campaign = campaignId === undefined ? null : trusted.has(campaignId) ? campaignId : await campaignOf(tx, campaignId);\n        if (typeof campaign === "string") trusted.add(campaign);',
      ]
    : [
        "const campaignId = await campaignOf(tx, body.campaign_id);",
        'const campaignId = trusted.has(body.campaign_id) ? body.campaign_id : await campaignOf(tx, body.campaign_id);\n        if (typeof campaignId === "string") trusted.add(campaignId);',
      ];

const trustingIn = (name: Parameters<typeof trusting>[0]) => {
  const [find, replace] = trusting(name);
  return [
    { file: routes, find, replace },
    {
      file: routes,
      find: "const searchSize = 20;",
      replace: "const searchSize = 20;\nconst trusted = new Set<string>();",
    },
  ];
};

/** Servers whose resources do well each, and not together. */
export const pairedResourceMutants: readonly Mutant[] = [
  mutant(
    "ORG-03",
    "unverified",
    "minds no brand that is not verified when reseller mode is turned off",
    "routes/organization-settings.ts",
    "const refusal = refuseResellerMode(organization, wanted, await tx.brands.count());",
    `const all = await tx.brands.count();
        const refusal = refuseResellerMode(organization, wanted, all > 1 ? all : 0);`,
  ),
  mutantOf("NUM-20", "in-use", "attaches what it has attached before without a look at it", trustingIn("attachment")),
  mutantOf(
    "NUM-21",
    "in-use",
    "attaches what it has attached before whatever became of its brand",
    trustingIn("attachment"),
  ),
  mutantOf(
    "NUM-10",
    "in-use",
    "orders with a campaign that it has ordered with before without a look at it",
    trustingIn("order"),
  ),
  mutantOf(
    "NUM-11",
    "in-use",
    "orders with what it has ordered with before whatever became of its brand",
    trustingIn("order"),
  ),
  wireMutant("NUM-14", "campaign", "overlooks what cannot be updated beside a campaign", (serve) => (request) => {
    const body = Object(bodyOf(request));
    if (request.operation !== updatePhoneNumber.id || body.campaign_id === undefined) return serve(request);
    const { label, inbound_url, status_url, campaign_id } = body;
    return serve(withRequestBody(request, { label, inbound_url, status_url, campaign_id }));
  }),
  wireMutant("NUM-14", "null", "overlooks what cannot be updated where it is null", (serve) => (request) => {
    const body = bodyOf(request);
    if (request.operation !== updatePhoneNumber.id || typeof body !== "object" || body === null) return serve(request);
    const known = ["label", "inbound_url", "status_url", "campaign_id"];
    const kept = Object.entries(body).filter(([name, value]) => known.includes(name) || value !== null);
    return serve(withRequestBody(request, Object.fromEntries(kept)));
  }),
  mutant(
    "BIL-24",
    "spent",
    "has no portal for who has spent all that was paid",
    "routes/billing.ts",
    "!hasPaid(await store.wallet(organization.id))",
    "!hasPaid(await store.wallet(organization.id)) || (await store.wallet(organization.id)).balance === 0",
  ),
  mutantOf("WHP-27", "attempt", "goes by the age of an attempt for that of its event", [
    {
      file: "domain/events/retention.ts",
      find: "now - Number(choices.eventRetentionDays) * day",
      replace: "now - (Number(choices.eventRetentionDays) + 3) * day",
    },
    {
      file: "domain/deliveries/replay.ts",
      find: "event.createdAt < retainedSince",
      replace: "attempt.occurredAt < retainedSince + 3 * 86_400_000",
    },
  ]),
  mutant(
    "NUM-13",
    "expired",
    "updates no number whose campaign has expired",
    routes,
    "const refusal = wanted === undefined ? null : refuseUnassigned(number);",
    `const sendsFor = number.campaignId === null ? null : await campaignOf(tx, number.campaignId);
        if (sendsFor instanceof Refusal) return sendsFor;
        const refusal = wanted === undefined ? null : refuseUnassigned(number);`,
  ),
  mutant(
    "NUM-17",
    "attached",
    "releases no number that sends for a campaign",
    routes,
    "await phoneNumbers.remove(number.id);",
    `if (number.campaignId !== null) return refuse.NumberNotAssigned("Detach the campaign first.") as never;
        await phoneNumbers.remove(number.id);`,
  ),
  mutant(
    "BRD-05",
    "third",
    "registers no third brand in reseller mode",
    "domain/registration/brand.ts",
    "!isReseller && brands >= bounds.brandsWithoutResellerMode",
    "(!isReseller && brands >= bounds.brandsWithoutResellerMode) || brands > 1",
  ),
  wireMutant("WHL-47", "filtered", "throttles reads of the feed with filters", (serve) => {
    const counts = new Map<string, number>();
    return async (request) => {
      const answer = await serve(request);
      if (request.operation !== listDeliveryAttempts.id || queryOf(request).size < 2) return answer;
      const by = request.headers.authorization ?? "";
      counts.set(by, (counts.get(by) ?? 0) + 1);
      return (counts.get(by) ?? 0) > 40 && answer.status < 300
        ? refusedWith(answer, refuse.RateLimited("Too many reads.", { "Retry-After": "1" }))
        : answer;
    };
  }),
];
