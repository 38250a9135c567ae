import { check } from "../../context/check.ts";
import { dataOf, type Exchange, objectOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredEndpoint } from "../../steps/answered-endpoint.ts";
import { createEndpoint, rotateSecret } from "../../steps/endpoint.ts";
import { attemptsAt } from "../../steps/settle.ts";

/** An endpoint's secret, looked for wherever it must not be. That no later answer of the run shows it is watched. */
export const endpointSecret = check({
  id: "webhooks.endpoint-secret",
  title: "An endpoint's secret stands in the answer to its rotation and in no other",
  rules: ["WHR-14", "WHE-06"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { deliveryReplays: 1 },
  async run(t) {
    const main = await (await t.tenant()).main();
    const created = await answeredEndpoint(t, main);
    const { secret, exchange: rotated } = await rotateSecret(t, created);
    const { secret: shown } = objectOf(dataOf(created.exchange)) ?? {};
    t.verify("WHE-06", shown === undefined, {
      expected: "no member secret",
      actual: `a member secret, ${shown === null ? "null" : typeof shown}`,
      exchanges: [created.exchange],
      // An empty member gives nothing away.
      warnOnly: shown === null,
    });

    const path = { id: created.id };
    const others: Exchange[] = [(await createEndpoint(t, main)).exchange];
    others.push(await t.call("testWebhookEndpoint", { path }, main));
    const { records, pages } = await attemptsAt(t, created, 1);
    others.push(...pages);
    const [record] = records;
    if (typeof record?.id === "string") {
      others.push(await t.attempt("replayDelivery", { path: { id: record.id }, body: {} }, main));
    }
    others.push(await t.call("deleteWebhookEndpoint", { path }, main));
    const telling = others.filter((exchange) => shows(exchange, secret));
    if (record === undefined && telling.length === 0) {
      throw new Blocked("no attempt at the endpoint was in the feed in time", "see WHE-08 and WHL-08 first", "server");
    }
    for (const exchange of telling.length > 0 ? telling : others) {
      t.verify("WHR-14", !shows(exchange, secret), {
        expected: "the secret in the answer to the rotation alone",
        actual: "the secret in another answer",
        exchanges: [rotated, exchange],
      });
    }
  },
});

/** Whether an answer shows a text in its body or a header; a slash may be escaped in JSON. */
function shows({ outcome }: Exchange, secret: string): boolean {
  if (outcome.kind === "lost") return false;
  const texts = [outcome.text, outcome.text.replaceAll("\\/", "/"), ...Object.values(outcome.headers)];
  return texts.some((text) => text.includes(secret));
}
