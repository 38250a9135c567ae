import type { ErrorRowName } from "../../../generated/error-rows.ts";
import { eventType } from "../../../generated/events.ts";
import { operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { ApiOperation } from "../api-operations.ts";
import type { Mutant } from "../edit.ts";
import { repeatingLater, servingLater } from "../later-requests.ts";
import { namedOrganizations, shapesOfNamed } from "../named-organizations.ts";
import { seeing } from "../seen.ts";
import { calledOperation, isRefusal, type Wire, type WireAnswer, type WireRequest } from "../wire.ts";
import { bodyOf, withKey, withRequestBody, withRequestHeader } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

/** Refusals for how things are with an organization. */
const refusals: readonly (readonly [ApiOperation["id"], ErrorRowName])[] = [
  ["captureConsent", "PlanRequired"],
  ["captureConsentBatch", "PlanRequired"],
  ["captureConsent", "RateLimited"],
  ["captureConsentBatch", "RateLimited"],
  ["eraseContact", "RateLimited"],
  ["replayDelivery", "RateLimited"],
  ["rotateApiKey", "RateLimited"],
  ["openBillingPortal", "NoBillingCustomer"],
  ["createCampaign", "NotFound"],
  ["orderPhoneNumbers", "NotFound"],
  ["sendMessage", "QuietHoursBypassForbidden"],
  ["updateProfile", "InvalidTimezone"],
  ["updateNotifications", "UnknownNotificationKey"],
  ["updateNotifications", "ImmutableNotificationKey"],
];

/** Makes an endpoint of the organization that is refused so. */
const makingAnEndpoint = (id: ApiOperation["id"], row: ErrorRowName): Wire =>
  seeing((seen) => (serve) => async (request) => {
    const answer = await serve(request);
    if (request.operation !== id || !isRefusal(answer, row)) return answer;
    const key = seen.widestKeyOf(seen.callerOf(request)?.organization ?? "");
    if (key !== undefined) await serve(withKey(creation(request), key));
    return answer;
  });

const { method, path } = operations.createWebhookEndpoint;

const creation = (request: WireRequest): WireRequest =>
  withRequestBody(
    withRequestHeader(
      { ...request, method, path, ...calledOperation(method, path) },
      "content-type",
      "application/json",
    ),
    { url: "https://bylaw.example/refused", events: [eventType.apiKeyCreated] },
  );

/** Makes an endpoint of the organization hours after it is refused so. */
const makingAnEndpointLater = (isMeant: (answer: WireAnswer, request: WireRequest) => boolean): Wire =>
  seeing((seen) =>
    servingLater((answer, request) => {
      const key = isMeant(answer, request) ? seen.widestKeyOf(seen.callerOf(request)?.organization ?? "") : undefined;
      return key === undefined ? null : { request: withKey(creation(request), key), afterSeconds: 20 * 3600 };
    }),
  );

/** Updates, a refusal of each, and the properties that the server stores although it refuses the update. */
const partialUpdates: readonly (readonly [RuleId, ApiOperation["id"], ErrorRowName, stored: readonly string[]])[] = [
  ["ENV-60", "updatePhoneNumber", "ValidationFailed", ["inbound_url", "status_url"]],
  ["ENV-60", "updateProfile", "ValidationFailed", ["name"]],
  ["ENV-60", "updateNotifications", "ValidationFailed", ["email"]],
  ["NUM-15", "updatePhoneNumber", "InvalidInput", ["inbound_url"]],
  ["NUM-15", "updatePhoneNumber", "InvalidInput", ["status_url"]],
  ["ENV-61", "updatePhoneNumber", "CampaignNotActive", ["inbound_url", "status_url"]],
];

/** Stores these properties of an update that it refuses, as far as each of them is sound by itself. */
const storingPartOf = (id: ApiOperation["id"], row: ErrorRowName, stored: readonly string[]): Wire => {
  return (serve) => async (request) => {
    const answer = await serve(request);
    if (request.operation !== id || !isRefusal(answer, row)) return answer;
    for (const part of soundParts(bodyOf(request), stored)) await serve(withRequestBody(request, part));
    return answer;
  };
};

/** A body for each of these properties that a body has; one for each property within, where it is an object. */
function soundParts(body: unknown, stored: readonly string[]): readonly object[] {
  const properties: readonly (readonly [string, unknown])[] = Object.entries(Object(body));
  return properties
    .filter(([name]) => stored.includes(name))
    .flatMap(([name, value]) =>
      typeof value === "object" && value !== null
        ? Object.entries(value).map(([inner, part]: [string, unknown]) => ({ [name]: { [inner]: part } }))
        : [{ [name]: value }],
    );
}

/** Refusals of an update of the organization, and the rule that each of them violates if it stores the name. */
const refusalsOfSettings = [
  ["ENV-60", "ValidationFailed"],
  ["ENV-61", "ResellerNotEligible"],
  ["ENV-61", "ResellerHasBrands"],
] as const;

/** Servers that do something where they refuse. */
export const effectfulRefusals: readonly Mutant[] = [
  ...partialUpdates.map(([rule, id, row, stored]) =>
    wireMutant(
      rule,
      `${id}-${row}-${stored.join("-")}`,
      `stores ${stored.join(" and ")} of a body where it answers ${id} with ${row}`,
      storingPartOf(id, row, stored),
    ),
  ),
  ...refusalsOfSettings.map(
    ([rule, row]): Mutant => ({
      ...mutantOf(
        rule,
        `updateOrganization-${row}-name`,
        `stores the name of an organization where it answers ${row}`,
        [...namedOrganizations, { wire: storingPartOf("updateOrganization", row, ["name"]) }],
      ),
      shapes: shapesOfNamed,
    }),
  ),
  ...refusals.map(([id, row]) =>
    wireMutant(
      "ENV-61",
      `${id}-${row}`,
      `makes an endpoint where it answers ${id} with ${row}`,
      makingAnEndpoint(id, row),
    ),
  ),
  ...(["captureConsent", "captureConsentBatch", "eraseContact"] as const).map((id) =>
    mutantOf("ENV-61", `${id}-first`, `looks at the limit of ${id} when it has done it`, [
      {
        file: "http/request-path.ts",
        find: "    onlyFor((operation) => !drawsFirst(operation), limit),\n    answerOnce(store, world, choices, handle),",
        replace: `    onlyFor((operation) => !drawsFirst(operation) && operation.id !== "${id}", limit),
    answerOnce(store, world, choices, handle),
    onlyFor((operation) => operation.id === "${id}", limit),`,
      },
    ]),
  ),
  ...(
    [
      ["captureConsent", "PlanRequired"],
      ["createCampaign", "NotFound"],
      ["orderPhoneNumbers", "NotFound"],
      ["eraseContact", "RateLimited"],
      ["createBrand", "ResellerRequired"],
      ["orderPhoneNumbers", "InsufficientInventoryOnOrder"],
    ] as const
  ).map(([id, row]) =>
    wireMutant(
      "ENV-61",
      `${id}-${row}-nightly`,
      `creates an endpoint in the night after it returns ${row} for ${id}`,
      makingAnEndpointLater((answer, request) => request.operation === id && isRefusal(answer, row)),
    ),
  ),
  wireMutant(
    "ENV-61",
    "sendMessage-QuietHours-later",
    "sends a message the day after it refused it in quiet hours",
    servingLater((answer, request) => {
      if (request.operation !== "sendMessage" || !isRefusal(answer, "QuietHours")) return null;
      const body = { ...Object(bodyOf(request)), bypass_quiet_hours: true };
      return { request: withRequestBody(request, body), afterSeconds: 14 * 3600 };
    }),
  ),
  wireMutant(
    "MSG-11",
    "opted-in",
    "sends a message that it refused for lack of consent after the recipient opts in",
    repeatingLater(
      (answer, { operation }) => operation === "sendMessage" && isRefusal(answer, "ConsentRequired"),
      20 * 3600,
    ),
  ),
  ...(["createApiKey", "sendMessage", "updateProfile"] as const).map((id) =>
    wireMutant(
      "ENV-60",
      `${id}-nightly`,
      `creates an endpoint in the night after it refuses the form of ${id}`,
      makingAnEndpointLater(
        (answer, request) => request.operation === id && (answer.status === 400 || answer.status === 422),
      ),
    ),
  ),
];
