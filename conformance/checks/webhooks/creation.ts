import { eventTypes } from "../../../generated/events.ts";
import type { Check } from "../../check/check.ts";
import { Blocked } from "../../check/verdict.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../authentication/answered-by.ts";
import { neverIssued } from "../tenancy/never-issued.ts";
import { bodyLike, callCreate, createEndpoint, isRefused, usualEvent } from "./endpoint.ts";

/** A new endpoint, asked for by the other routes. */
export const creation: Check = {
  id: "webhooks.creation",
  title: "A created endpoint is known to the operations that rotate its secret and that test it",
  rules: ["WHE-01"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: 0,
  async run(t) {
    const main = await (await t.tenant()).main();
    const { id, exchange } = await createEndpoint(t, main);
    const path = { id };
    const unknown = { id: neverIssued(id, t.random) };
    const missed = await t.call("rotateEndpointSecret", { path: unknown }, main);
    // Where any id will do, it says nothing that this one does.
    if (isSuccess(missed)) throw new Blocked("an endpoint that never was is known too", "see WHR-15 first", "server");
    t.accepted("WHE-01", await t.call("rotateEndpointSecret", { path }, main));
    const tested = await t.call("testWebhookEndpoint", { path }, main);
    t.verify("WHE-01", !answeredBy(tested, "NotFound"), {
      expected: "a test of the created endpoint that finds it",
      actual: summaryOf(tested),
      exchanges: [exchange, tested],
    });
  },
};

/** Texts near the catalog's that are no type of event. */
const unknownTypes: readonly string[] = [
  ...["bylaw.unknown", `${usualEvent}d`, usualEvent.slice(0, -1), usualEvent.toUpperCase()],
  ...[` ${usualEvent}`, usualEvent.replace(".", "_")],
];

/** A creation whose only defect is what it subscribes to. */
export const unknownSubscriptions: Check = {
  id: "webhooks.unknown-subscriptions",
  title: "A subscription to what is no documented event type is refused, alone and among others",
  rules: ["WHE-09"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: 0,
  async run(t) {
    const main = await (await t.tenant()).main();
    await createEndpoint(t, main, { events: eventTypes });
    const sound = await createEndpoint(t, main);
    for (const events of [...unknownTypes.map((type) => [type]), [usualEvent, "bylaw.unknown"]]) {
      const exchange = await callCreate(t, main, { ...bodyLike(sound), events });
      t.verify("WHE-09", isRefused(exchange), {
        expected: `a refusal of a subscription to ${JSON.stringify(events)}`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
    }
  },
};
