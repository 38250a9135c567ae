import { randomUUID } from "node:crypto";
import { operations } from "../../../generated/operations.ts";
import { check } from "../../context/check.ts";
import { createEndpoint, rotateSecret } from "../../steps/endpoint.ts";
import { feedScope } from "../../steps/feed.ts";
import { grantable } from "../../steps/grantable.ts";
import { malformedIds } from "../../steps/malformed-ids.ts";
import { nearIds } from "../../steps/near-misses/near-ids.ts";
import { neverIssued } from "../../steps/never-issued.ts";
import { refusedAlways } from "../../steps/refused-always.ts";
import { refusesMalformedId } from "../../steps/refuses-malformed-id.ts";

/** Ids under which there is no endpoint. */
export const unrotatableIds = check({
  id: "webhooks.unrotatable-ids",
  title: "The secret of an endpoint that never was cannot be rotated, nor that of an id that is no UUID",
  rules: ["WHR-15", "WHR-17"],
  kind: "sampled",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const endpoint = await createEndpoint(t, main);
    await rotateSecret(t, endpoint);
    for (const id of [neverIssued(endpoint.id, t.random), randomUUID(), ...nearIds(endpoint.id)]) {
      t.refused("WHR-15", await t.call("rotateEndpointSecret", { path: { id } }, main), "NotFound");
    }
    for (const id of malformedIds) {
      const exchange = await t.call("rotateEndpointSecret", { path: { id } }, main);
      refusesMalformedId(t, "WHR-17", exchange, ["ValidationFailed400", "ValidationFailed"]);
    }
  },
});

/** Callers that may not rotate. */
export const rotationNeedsScope = check({
  id: "webhooks.rotation-needs-scope",
  title: "A key without the scope of changing webhooks rotates no secret, whatever else it may do",
  rules: ["WHR-18"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 1 },
  sharedKeys: [[feedScope]],
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const endpoint = await createEndpoint(t, main);
    await rotateSecret(t, endpoint);
    const others = grantable(main).filter((scope) => scope !== operations.rotateEndpointSecret.scope);
    for (const scopes of [[feedScope], others]) {
      const lacking = await tenant.keyWith(scopes);
      const rotate = () => t.call("rotateEndpointSecret", { path: { id: endpoint.id } }, lacking);
      await refusedAlways(t, "WHR-18", rotate, "Forbidden");
    }
  },
});
