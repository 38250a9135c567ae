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
  rules: ["TEN-02", "TEN-12", "TEN-05"],
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
      const ask = async (id: string) => ({ exchange: await t.call(operation, { path: { id } }, main), id });
      const asked = await ask(foreign.id);
      t.refused(rule, asked.exchange, "NotFound");
      indistinguishable(t, "TEN-05", asked, await ask(unknown));
    }
    const kept = await t.call("rotateEndpointSecret", { path: { id: foreign.id } }, foreign.owner);
    t.verify("TEN-12", isSuccess(kept), {
      expected: "the endpoint there all the same for its owner",
      actual: summaryOf(kept),
      exchanges: [kept],
      // The rule speaks of the answer to the other organization alone.
      warnOnly: true,
    });
  },
};

/** Another organization's delivery, asked for by its id. */
export const foreignDelivery: Check = {
  id: "tenancy.foreign-delivery",
  title: "Another organization's delivery is not found, and nothing tells it from one that never was",
  rules: ["TEN-03", "TEN-05"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates"],
  draws: 3,
  async run(t) {
    const main = await (await t.tenant()).main();
    // The sound twin: a replay by the owner.
    await replay(t, main, (await ownDelivery(t, main)).id);
    const foreign = await ownDelivery(t, await (await t.otherTenant()).main());
    const ask = async (id: string) => ({ exchange: await callReplay(t, main, id), id });
    const asked = await ask(foreign.id);
    t.refused("TEN-03", asked.exchange, "NotFound");
    indistinguishable(t, "TEN-05", asked, await ask(neverIssued(foreign.id, t.random)));
  },
};
