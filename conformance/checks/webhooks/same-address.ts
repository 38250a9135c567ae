import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import { dataOf, isSuccess, objectOf } from "../../exchange/exchange.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import { answeredEndpoint } from "../../steps/answered-endpoint.ts";
import { callCreate, endpointIn, usualEvent } from "../../steps/endpoint.ts";
import { attemptsAt, isSameId } from "../../steps/settle.ts";

/** Two endpoints at one address, each with a secret and a feed of its own. */
export const sameAddress = check({
  id: "webhooks.same-address",
  title: "Of two endpoints at one address each is sent what it subscribes to",
  rules: ["WHE-14"],
  kind: "scenario",
  needs: ["emit"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const one = await answeredEndpoint(t, main, { events: [usualEvent] });
    const body = { url: one.url, events: one.events };
    const exchange = await callCreate(t, main, body);
    const { id } = objectOf(t.shapeResponse("createWebhookEndpoint", dataOf(exchange))) ?? {};
    if (!isSuccess(exchange) || isSameId(id, one.id))
      throw new NotApplicable("no second endpoint is admitted at the address of another one");
    const both = [one, endpointIn(t, exchange, body, main)];
    // What a server sends a new endpoint by itself is none of it.
    const greetings: unknown[] = [];
    for (const endpoint of both)
      greetings.push(...(await attemptsAt(t, endpoint, 0)).records.map(({ event_id }) => event_id));
    await tenant.arrange(emittedEvent, { type: usualEvent });
    for (const endpoint of both) {
      const { enough, pages } = await attemptsAt(t, endpoint, (all) =>
        all.some(({ event_type, event_id }) => event_type === usualEvent && !greetings.includes(event_id)),
      );
      t.verify("WHE-14", enough, {
        expected: `an attempt of ${usualEvent} at the endpoint ${endpoint.id}, one of two at its address`,
        actual: enough ? "one" : `none within ${t.timing.pollTimeout / 1000} s`,
        isSilence: true,
        exchanges: [one.exchange, exchange, ...pages.slice(0, 1)],
      });
    }
  },
});
