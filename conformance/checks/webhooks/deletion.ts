import { check } from "../../context/check.ts";
import { summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { createEndpoint, rotateSecret } from "../../steps/endpoint.ts";

/** A deleted endpoint, asked for by its id. */
export const deletion = check({
  id: "webhooks.deletion",
  title: "An own endpoint can be deleted, and no operation finds it then",
  rules: ["WHE-07", "WHE-13", "WHR-16"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const endpoint = await createEndpoint(t, main);
    await rotateSecret(t, endpoint);
    const path = { id: endpoint.id };
    // Something was sent to it, or is on its way.
    await t.call("testWebhookEndpoint", { path }, main);
    const deleted = await t.call("deleteWebhookEndpoint", { path }, main);
    t.accepted("WHE-07", deleted);
    t.control(deleted, "deleting an own endpoint");

    const rotated = await t.call("rotateEndpointSecret", { path }, main);
    t.refused("WHR-16", rotated, "NotFound");
    t.refused("WHE-13", await t.call("testWebhookEndpoint", { path }, main), "NotFound");
    const again = await t.call("deleteWebhookEndpoint", { path }, main);
    t.verify("WHE-13", answeredBy(again, "NotFound"), {
      expected: "a second deletion that finds nothing",
      actual: summaryOf(again),
      exchanges: [deleted, again],
    });
  },
});
