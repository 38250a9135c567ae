import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { dataOf, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { bodyLike, callCreate, createEndpoint, type Endpoint, endpointIn, rotateSecret } from "../../steps/endpoint.ts";
import { refusedAlways } from "../../steps/refused-always.ts";
import { isSameId } from "../../steps/settle.ts";

/** A deleted endpoint, asked for by its id. */
export const deletion = check({
  id: "webhooks.deletion",
  title: "An own endpoint can be deleted, and no operation finds it then",
  rules: ["WHE-07", "WHE-13", "WHE-18", "WHR-16"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const endpoint = await createEndpoint(t, main);
    await rotateSecret(t, endpoint);
    const path = { id: endpoint.id };
    const others = await beside(t, endpoint);
    // Something was sent to it, or is on its way.
    await t.call("testWebhookEndpoint", { path }, main);
    const deleted = await t.call("deleteWebhookEndpoint", { path }, main);
    t.accepted("WHE-07", deleted);
    t.control(deleted, "deleting an own endpoint");

    for (const other of others) {
      const kept = await t.call("rotateEndpointSecret", { path: { id: other.id } }, main);
      t.verify("WHE-18", isSuccess(kept), {
        expected: `the endpoint at ${other.url} as it was when that at ${endpoint.url} was deleted`,
        actual: summaryOf(kept),
        exchanges: [deleted, kept],
      });
    }
    const rotate = () => t.call("rotateEndpointSecret", { path }, main);
    await refusedAlways(t, "WHR-16", rotate, "NotFound");
    await refusedAlways(t, "WHE-13", () => t.call("testWebhookEndpoint", { path }, main), "NotFound");
    const again = await t.call("deleteWebhookEndpoint", { path }, main);
    // The document does not show whether a second deletion succeeds as well.
    if (isSuccess(again)) t.observe("WHE-13", `a second deletion gives ${summaryOf(again)}`, deleted, again);
    else t.refused("WHE-13", again, "NotFound");
    if (others.length === 0)
      throw new Blocked(
        "no endpoint was admitted at the address of another one, nor at its host",
        "give the kit a receiver that the target admits: --receiver-listen, --receiver-url",
      );
  },
});

/** An endpoint at the same address, where a server admits that and keeps it apart, and one at the same host. */
async function beside(t: CheckContext, endpoint: Endpoint): Promise<readonly Endpoint[]> {
  const { owner, url, events } = endpoint;
  const made: Endpoint[] = [];
  for (const body of [bodyLike(endpoint), { url, events }]) {
    const exchange = await callCreate(t, owner, body);
    const { id } = objectOf(t.shapeResponse("createWebhookEndpoint", dataOf(exchange))) ?? {};
    if (isSuccess(exchange) && !isSameId(id, endpoint.id)) made.push(endpointIn(t, exchange, body, owner));
  }
  return made;
}
