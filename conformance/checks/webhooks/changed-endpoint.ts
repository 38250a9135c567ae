import type { EndpointChange } from "../../../generated/models/sandbox-webhooks.ts";
import { editedEndpoint } from "../../arrangements/edited-endpoint.ts";
import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { createEndpoint, rotateSecret } from "../../steps/endpoint.ts";
import { eventually } from "../../steps/settle.ts";
import {
  byFeed,
  byReceiver,
  forEachVantage,
  type SeenEvent,
  seenEvents,
  untilSeen,
  type WatchedEndpoint,
} from "../../steps/vantage.ts";
import { chosenTypes } from "./chosen-types.ts";

/** Seconds after a change until it holds everywhere, whatever a server remembers for a while. */
const soon = 3600;

const [one, other] = chosenTypes;

/** What an endpoint is sent of a type that it was taken off. */
export const unsubscribed = forEachVantage([byReceiver, byFeed], ({ watch }) =>
  check({
    id: "webhooks.unsubscribed",
    title: "An endpoint is not sent a type that it was taken off",
    rules: ["WHE-10"],
    kind: "scenario",
    needs: ["emit", "endpoint-edit"],
    effects: ["creates"],
    draws: {},
    async run(t) {
      const main = await (await t.tenant({ clock: "manual" })).main();
      const changed = await watch(t, main, { events: [one, other] });
      const kept = await watch(t, main, { events: [one] });
      await reachBoth(t, changed, kept);
      const shown = await change(t, changed, { events: [other] }, (data) => isOnly(data.events, other));
      const late = await laterOf(t, changed, kept);
      t.verify("WHE-10", late.length === 0, {
        expected: `no event of ${one}, as the endpoint subscribes to ${other} alone`,
        actual: late.length === 0 ? "none" : late.map(({ eventId }) => eventId).join(", "),
        exchanges: [shown],
      });
    },
  }),
);

/** What an endpoint is sent while it is switched off, and once it is on again. */
export const inactive = forEachVantage([byReceiver, byFeed], ({ watch }) =>
  check({
    id: "webhooks.inactive",
    title:
      "An endpoint that is not active can be deleted and is sent nothing, and once it is active again what happens then",
    rules: ["WHE-07", "WHE-14", "WHE-15"],
    kind: "scenario",
    needs: ["emit", "endpoint-edit"],
    effects: ["creates"],
    draws: {},
    async run(t) {
      const main = await (await t.tenant({ clock: "manual" })).main();
      const changed = await watch(t, main, { events: [one] });
      const kept = await watch(t, main, { events: [one] });
      await reachBoth(t, changed, kept);
      const off = await change(t, changed, { active: false }, ({ active }) => active === false);
      const late = await laterOf(t, changed, kept);
      t.verify("WHE-15", late.length === 0, {
        expected: "no event that happened while the endpoint was not active",
        actual: late.length === 0 ? "none" : late.map(({ eventId }) => eventId).join(", "),
        exchanges: [off],
      });
      const on = await change(t, changed, { active: true }, ({ active }) => active === true);
      const known = (await seenEvents(changed)).map(({ eventId }) => eventId);
      if (main.tenant.manualClock) await main.tenant.advance(soon, "a change to hold everywhere");
      const again = await reachesBoth(t, changed, kept);
      t.verify("WHE-14", again, {
        expected: `an event of ${one} at the endpoint that is active again, as at the one beside it`,
        actual: again ? "one" : "none in time",
        isSilence: true,
        exchanges: [on],
      });
      const belated = (await seenEvents(changed)).filter(({ eventId }) => !known.includes(eventId)).length - 1;
      t.verify("WHE-15", belated <= 0, {
        expected: "one event since the endpoint is active again, as one happened",
        actual: belated <= 0 ? "that" : `${belated} more, of what happened while it was not`,
        exchanges: [off, on],
      });
      await change(t, changed, { active: false }, ({ active }) => active === false);
      t.accepted("WHE-07", await t.call("deleteWebhookEndpoint", { path: { id: changed.endpoint.id } }, main));
    },
  }),
);

/** The secret of an endpoint that is switched off. */
export const rotatedWhileInactive = check({
  id: "webhooks.rotated-while-inactive",
  title: "The secret of an endpoint that is not active can be rotated",
  rules: ["WHR-01"],
  kind: "scenario",
  needs: ["endpoint-edit"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const endpoint = await createEndpoint(t, await tenant.main());
    await rotateSecret(t, endpoint);
    await tenant.arrange(editedEndpoint, { endpoint_id: endpoint.id, active: false });
    const exchange = await t.call("rotateEndpointSecret", { path: { id: endpoint.id } }, endpoint.owner);
    t.verify("WHR-01", isSuccess(exchange), {
      expected: "success",
      admits: ["success"],
      actual: summaryOf(exchange),
      exchanges: [exchange],
      // That it is not found is wrong; what else may be said of its state is not shown.
      warnOnly: !answeredBy(exchange, "NotFound"),
    });
  },
});

/** Makes an event that reaches the second of two endpoints; whether it reaches the first one, too. */
async function reachesBoth(t: CheckContext, changed: WatchedEndpoint, kept: WatchedEndpoint): Promise<boolean> {
  const { tenant } = kept.endpoint.owner;
  const [before, known] = [await seenEvents(changed), await seenEvents(kept)];
  await tenant.arrange(emittedEvent, { type: one });
  await untilSeen(t, kept, (events) => events.length > known.length);
  const found = await eventually(t, tenant, async () =>
    (await seenEvents(changed)).length > before.length ? true : null,
  );
  return found !== null;
}

/** The sound twin: while both endpoints subscribe and are active, an event reaches both. */
async function reachBoth(t: CheckContext, changed: WatchedEndpoint, kept: WatchedEndpoint): Promise<void> {
  if (!(await reachesBoth(t, changed, kept)))
    throw new Blocked("one of two endpoints was not sent an event", "see WHE-14 first", "server");
}

/** Changes an endpoint, and shows by its next rotation that the change is made. */
async function change(
  t: CheckContext,
  { endpoint }: WatchedEndpoint,
  wanted: EndpointChange,
  isMade: (data: Readonly<Record<string, unknown>>) => boolean,
): Promise<Exchange> {
  await endpoint.owner.tenant.arrange(editedEndpoint, { endpoint_id: endpoint.id, ...wanted });
  const { data, exchange } = await rotateSecret(t, endpoint);
  if (isMade(data)) return exchange;
  const message = `after a change of ${Object.keys(wanted).join()} a rotation was answered ${summaryOf(exchange)} without it`;
  throw new Blocked(message, "see whether endpoints are really changed", "environment");
}

/** What the changed endpoint is sent of the second of two events, both of which reach the other one. */
async function laterOf(
  t: CheckContext,
  changed: WatchedEndpoint,
  kept: WatchedEndpoint,
): Promise<readonly SeenEvent[]> {
  const { tenant } = kept.endpoint.owner;
  const ofOne = async (): Promise<readonly SeenEvent[]> =>
    (await seenEvents(changed)).filter(({ eventType }) => eventType === one);
  const emitted = async (): Promise<void> => {
    const known = (await seenEvents(kept)).length;
    await tenant.arrange(emittedEvent, { type: one });
    await untilSeen(t, kept, (events) => events.length > known);
  };
  // What happens at once may still be told by what was remembered.
  await emitted();
  if (tenant.manualClock) await tenant.advance(soon, "a change to hold everywhere");
  const before = await ofOne();
  await emitted();
  return (await ofOne()).filter(({ eventId }) => !before.some((known) => known.eventId === eventId));
}

const isOnly = (events: unknown, type: string): boolean =>
  Array.isArray(events) && events.length === 1 && events[0] === type;
