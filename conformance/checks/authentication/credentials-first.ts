import { randomUUID } from "node:crypto";
import type { OperationId } from "../../../generated/operations.ts";
import type { Check } from "../../check/check.ts";
import type { CallInput } from "../../check/context.ts";
import { unknownKey } from "./bad-authorizations.ts";
import { ownKey } from "./own-key.ts";

/** Inputs that a caller with a key would have refused for another reason. */
const flawed: readonly (readonly [OperationId, CallInput])[] = [
  ["getApiKey", { path: { id: "not-a-uuid" } }],
  ["getApiKey", { path: { id: randomUUID() } }],
  ["rotateApiKey", { path: { id: "not-a-uuid" } }],
  ["rotateApiKey", { path: { id: randomUUID() } }],
  ["createApiKey", { body: {} }],
  ["createApiKey", { rawBody: "{" }],
  ["createWebhookEndpoint", { body: {} }],
  ["createWebhookEndpoint", { rawBody: "{" }],
  ["deleteWebhookEndpoint", { path: { id: "not-a-uuid" } }],
  ["deleteWebhookEndpoint", { path: { id: randomUUID() } }],
  ["rotateEndpointSecret", { path: { id: "not-a-uuid" } }],
  ["rotateEndpointSecret", { path: { id: randomUUID() } }],
  ["testWebhookEndpoint", { path: { id: randomUUID() } }],
  ["rotateOrganizationSecret", { rawBody: "{" }],
  ["listDeliveryAttempts", { query: { limit: "none" } }],
  ["listDeliveryAttempts", { query: { endpoint_id: "not-a-uuid" } }],
  ["replayDelivery", { path: { id: "not-a-uuid" }, body: {} }],
  ["replayDelivery", { path: { id: randomUUID() }, rawBody: "{" }],
];

/** Bad credentials and another defect in one call. */
export const credentialsFirst: Check = {
  id: "authentication.credentials-first",
  title: "Bad credentials weigh more than whatever else is wrong with a call",
  rules: ["AUTH-09", "AUTH-23"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: 1,
  async run(t) {
    const { reader, input } = await ownKey(t, await t.tenant());
    const unknown = { ...reader, name: "unknown key", token: unknownKey(reader.token, t.random) };
    for (const credential of [null, unknown]) {
      for (const [operation, bad] of flawed.filter(([id]) => t.serves(id))) {
        t.refused("AUTH-09", await t.attempt(operation, bad, credential), "Unauthorized");
      }
      const headers = { "x-target-org": randomUUID() };
      t.refused("AUTH-23", await t.attempt("getApiKey", { ...input, headers }, credential), "Unauthorized");
    }
  },
};
