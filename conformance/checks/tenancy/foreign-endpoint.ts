import type { RuleId } from "../../../generated/rules.ts";
import type { Check } from "../../check/check.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { ownDelivery } from "../deliveries/own-delivery.ts";
import { callReplay, replay } from "../deliveries/replay.ts";
import { createEndpoint, rotateSecret } from "../webhooks/endpoint.ts";
import { indistinguishable } from "./indistinguishable.ts";
import { neverIssued } from "./never-issued.ts";

/** Operations on an endpoint, the one that ends it last, each with the rule on another organization's. */
const operationsOnEndpoints = [
  ["rotateEndpointSecret", "TEN-02"],
  ["testWebhookEndpoint", "TEN-12"],
  ["deleteWebhookEndpoint", "TEN-12"],
] as const satisfies readonly (readonly [string, RuleId])[];

/** Another organization's endpoint, asked for by its id. */
export const foreignEndpoint: Check = {
  id: "tenancy.foreign-endpoint",
  title: "Another organization's endpoint is not found, and nothing tells it from one that never was",
  rules: ["TEN-02", "TEN-12", "TEN-05", "TEN-19", "TEN-20"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates"],
  draws: 0,
  async run(t) {
    const main = await (await t.tenant()).main();
    // The sound twin: the same calls by the owner.
    await rotateSecret(t, await createEndpoint(t, main));
    const foreign = await createEndpoint(t, await (await t.otherTenant()).main());
    const unknown = neverIssued(foreign.id, t.random);
    for (const [operation, rule] of operationsOnEndpoints) {
      const call = (id: string) => t.call(operation, { path: { id } }, main);
      t.refused(rule, await indistinguishable(t, call, { foreign: foreign.id, unknown }), "NotFound");
    }
    const kept = await t.call("rotateEndpointSecret", { path: { id: foreign.id } }, foreign.owner);
    t.verify("TEN-20", isSuccess(kept), {
      expected: "the endpoint there all the same for its owner",
      actual: summaryOf(kept),
      exchanges: [kept],
    });
  },
};

/** Another organization's delivery, asked for by its id. */
export const foreignDelivery: Check = {
  id: "tenancy.foreign-delivery",
  title: "Another organization's delivery is not found, and nothing tells it from one that never was",
  rules: ["TEN-03", "TEN-05", "TEN-19"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates"],
  draws: 3,
  async run(t) {
    const main = await (await t.tenant()).main();
    // The sound twin: a replay by the owner.
    await replay(t, main, (await ownDelivery(t, main)).id);
    const foreign = await ownDelivery(t, await (await t.otherTenant()).main());
    const ids = { foreign: foreign.id, unknown: neverIssued(foreign.id, t.random) };
    t.refused("TEN-03", await indistinguishable(t, (id) => callReplay(t, main, id), ids), "NotFound");
    // What is wrong with the body must not be said of the one alone either.
    const flawed = (id: string) => t.call("replayDelivery", { path: { id }, body: { reason: {} } }, main);
    await indistinguishable(t, flawed, ids);
  },
};
