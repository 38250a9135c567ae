import { errorRows, refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import { endpointInactive, endpointNotFound } from "../../domain/endpoints/new-endpoint.ts";
import type { WebhookEndpoint } from "../../domain/endpoints/webhook-endpoint.ts";
import { forAnyone, refusingOthers, secretlyForAnyone } from "../as-owner.ts";
import type { Mutant } from "../edit.ts";
import { idIn, seeing } from "../seen.ts";
import { keepingEndpoints } from "../unit-changes.ts";
import { onAnswer, refusedWith } from "../wire.ts";
import { mutant, mutantOf } from "./mutant.ts";

const routes = "routes/webhooks.ts";
const authorize = "http/authorize.ts";

const rotated =
  "if (endpoint === null) return endpointNotFound();\n        const rotated = rotatedEndpoint(endpoint, secret, now);";
const notFound = errorRows.NotFound.referenceStatus;
const malformed = 'malformedId(operation, choices) === "ValidationFailed"';
const holdsScope = "if (wanted === null || holds(callerOf(exchange), wanted)) return null;";
/** Lets callers rotate an endpoint's secret of whom the condition holds. */
const alsoIf = (condition: string): string =>
  `const rotates = routeOf(exchange).operation.id === "rotateEndpointSecret";\n  if (rotates && (${condition})) return null;\n  ${holdsScope}`;

const forbidden = refuse.Forbidden("That endpoint is not yours.");

/** Servers that let the wrong callers, or none, at endpoints, or find what is not there. */
export const endpointAccessMutants: readonly Mutant[] = [
  mutantOf("WHR-15", "made", "makes an endpoint of an unknown id", [
    {
      file: routes,
      find: rotated,
      replace: rotated.replace(
        "return endpointNotFound();",
        '{\n          const wanted = { organizationId: caller.organization.id, url: "https://example.com/", events: [], createdAt: now };\n          const made = { ...newEndpoint(wanted, world, choices), id: path.id };\n          return { ...wireEndpoint(made, precision), secret, secret_displayed_once: true };\n        }',
      ),
    },
  ]),
  mutantOf("WHR-15", "beginning", "compares all but the last digits of an endpoint's id", [
    {
      file: "store/endpoints/endpoints.ts",
      find: "selectLiving.first(on, { id, organizationId })",
      replace: "selectLiving.first(on, { id: `${id.slice(0, 30)}%`, organizationId })",
    },
    {
      file: "store/endpoints/endpoints.ts",
      symbol: "selectLiving",
      find: 'db.selectFrom("webhook_endpoints").select(columns.webhook_endpoints).where("id", "=", given("id"))',
      replace: 'db.selectFrom("webhook_endpoints").select(columns.webhook_endpoints).where("id", "like", given("id"))',
    },
  ]),
  mutantOf("WHR-15", "conflict", "answers an unknown id with a conflict", [
    {
      wire: onAnswer("rotateEndpointSecret", (answer) =>
        answer.status === notFound ? refusedWith(answer, endpointInactive()) : answer,
      ),
    },
  ]),
  mutantOf("WHR-16", "soft", "rotates a deleted endpoint's secret", [
    keepingEndpoints(() => {
      const deleted = new Map<string, WebhookEndpoint>();
      return (endpoints, { organization }) => ({
        async find(id) {
          const gone = deleted.get(id);
          const isOwn = gone?.organizationId === organization?.id;
          return (await endpoints.find(id)) ?? (gone !== undefined && isOwn ? gone : null);
        },
        async update(endpoint) {
          if (endpoint.deletedAt !== null) deleted.set(endpoint.id, endpoint);
          await endpoints.update(endpoint);
        },
      });
    }),
  ]),
  mutantOf("WHR-16", "conflict", "answers for a deleted endpoint with a conflict", [
    {
      wire: seeing((seen) =>
        onAnswer("rotateEndpointSecret", (answer, request) =>
          answer.status === notFound && seen.endpoints.has(idIn(request)) && seen.otherOwner(request) === undefined
            ? refusedWith(answer, endpointInactive())
            : answer,
        ),
      ),
    },
  ]),
  mutant(
    "WHR-17",
    "fails",
    "fails on a malformed id",
    "http/service-rows.ts",
    malformed,
    `operation.id === "rotateEndpointSecret" ? refuse.InternalError("It failed.") : ${malformed}`,
  ),
  mutant("WHR-18", "open", "lets every key rotate", authorize, holdsScope, alsoIf("true")),
  mutant(
    "WHR-18",
    "reader",
    "lets readers rotate",
    authorize,
    holdsScope,
    alsoIf(`holds(callerOf(exchange), "${operations.listDeliveryAttempts.scope}")`),
  ),
  mutant(
    "WHR-18",
    "writer",
    "lets whoever may write something rotate",
    authorize,
    holdsScope,
    alsoIf('[...Object(callerOf(exchange)).scopes].some((held) => held.endsWith(":write"))'),
  ),
  mutantOf("TEN-02", "rotates", "rotates the secret of any organization's endpoint", [
    { wire: forAnyone("rotateEndpointSecret") },
  ]),
  mutantOf("TEN-02", "forbidden", "tells whose secret may not be rotated", [
    { wire: refusingOthers("rotateEndpointSecret", forbidden) },
  ]),
  mutantOf("TEN-12", "deletes", "deletes any organization's endpoint", [{ wire: forAnyone("deleteWebhookEndpoint") }]),
  mutantOf("TEN-20", "deleted", "deletes any organization's endpoint and says that there is none", [
    { wire: secretlyForAnyone("deleteWebhookEndpoint", endpointNotFound()) },
  ]),
  mutantOf("TEN-12", "tests", "finds any organization's endpoint to test", [
    { wire: forAnyone("testWebhookEndpoint") },
  ]),
  mutantOf("TEN-12", "forbidden", "tells whose endpoint may not be tested", [
    { wire: refusingOthers("testWebhookEndpoint", forbidden) },
  ]),
];
