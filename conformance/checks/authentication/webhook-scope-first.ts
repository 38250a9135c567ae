import { randomUUID } from "node:crypto";
import type { OperationId } from "../../../generated/operations.ts";
import type { Check } from "../../check/check.ts";
import { feedScope } from "../deliveries/feed.ts";
import { bodyLike, createEndpoint } from "../webhooks/endpoint.ts";
import { answeredBy } from "./answered-by.ts";
import { assertForbidden } from "./scope-first.ts";

/** Operations on one record of webhooks that change it. */
const onRecords = [
  ...(["rotateEndpointSecret", "testWebhookEndpoint", "deleteWebhookEndpoint"] as const),
  ...(["replayDelivery"] as const),
] as const satisfies readonly OperationId[];

/** A missing scope and another defect in one call that would change webhooks. */
export const webhookScopeFirst: Check = {
  id: "authentication.webhook-scope-first",
  title: "A missing scope of webhooks weighs more than an unknown id or an invalid body",
  rules: ["AUTH-14", "AUTH-15"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: 1,
  async run(t) {
    const tenant = await t.tenant();
    const endpoint = await createEndpoint(t, await tenant.main());
    const reader = await tenant.keyWith([feedScope]);
    const path = { id: endpoint.id };
    assertForbidden(await t.call("rotateEndpointSecret", { path }, reader), "a rotation without the scope");
    for (const operation of onRecords.filter((id) => t.serves(id))) {
      const body = operation === "replayDelivery" ? { body: {} } : {};
      const unknown = { path: { id: randomUUID() }, ...body };
      // Only what is refused for the scope alone can show which defect weighs more; the document names not all scopes.
      const alone =
        operation === "replayDelivery" || answeredBy(await t.call(operation, { path }, reader), "Forbidden");
      if (alone) t.refused("AUTH-14", await t.call(operation, unknown, reader), "Forbidden");
    }

    const body = t.shapeRequest("createWebhookEndpoint", bodyLike(endpoint));
    assertForbidden(await t.call("createWebhookEndpoint", { body }, reader), "a creation without the scope");
    for (const bad of [{ body: {} }, { rawBody: "{" }]) {
      t.refused("AUTH-15", await t.call("createWebhookEndpoint", bad, reader), "Forbidden");
    }
  },
};
