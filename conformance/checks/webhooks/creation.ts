import { eventTypes } from "../../../generated/events.ts";
import { check } from "../../context/check.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { bodyLike, callCreate, createEndpoint, isRefused, usualEvent } from "../../steps/endpoint.ts";
import { misspeltTypes, plausibleTypes } from "../../steps/near-types.ts";
import { neverIssued } from "../../steps/never-issued.ts";

/** A new endpoint, asked for by the other routes. */
export const creation = check({
  id: "webhooks.creation",
  title: "A created endpoint is known to the operations that rotate its secret, that test it and that delete it",
  rules: ["WHE-01"],
  kind: "sampled",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const { id } = await createEndpoint(t, main);
    const unknown = { id: neverIssued(id, t.random) };
    const missed = await t.call("rotateEndpointSecret", { path: unknown }, main);
    // Where any id will do, it says nothing that this one does.
    if (isSuccess(missed)) throw new Blocked("an endpoint that never was is known too", "see WHR-15 first", "server");
    t.accepted("WHE-01", await t.call("rotateEndpointSecret", { path: { id } }, main));
    // Each asks for one that nothing else has touched.
    for (const operation of ["testWebhookEndpoint", "deleteWebhookEndpoint"] as const) {
      const created = await createEndpoint(t, main);
      const asked = await t.call(operation, { path: { id: created.id } }, main);
      t.verify("WHE-01", !answeredBy(asked, "NotFound"), {
        expected: "an answer that finds the created endpoint",
        actual: summaryOf(asked),
        exchanges: [created.exchange, asked],
      });
    }
  },
});

/** Creations with an unknown subscription, all of them taken, after which nobody tries more. */
const few = 3;

/** A creation whose only defect is what it subscribes to. */
export const unknownSubscriptions = check({
  id: "webhooks.unknown-subscriptions",
  title: "A subscription to what is no documented event type is refused, alone and among others",
  rules: ["WHE-09"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    await createEndpoint(t, main, { events: eventTypes });
    const sound = await createEndpoint(t, main);
    const unknown = [...misspeltTypes, ...plausibleTypes];
    // Among documented ones, first and last: each of them is looked at.
    const [one = "", other = ""] = plausibleTypes;
    let taken = 0;
    const lists = [
      [one, usualEvent],
      [usualEvent, other],
      [usualEvent, ""],
      [...eventTypes, one],
      ...unknown.map((type) => [type]),
      [""],
    ];
    for (const events of lists) {
      const exchange = await callCreate(t, main, { ...bodyLike(sound), events });
      t.verify("WHE-09", isRefused(exchange), {
        expected: `a refusal of a subscription to ${JSON.stringify(events)}`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
      // Each that is taken takes the room of an endpoint, and a few tell enough.
      if (isSuccess(exchange)) taken += 1;
      if (taken === few) return;
    }
  },
});
