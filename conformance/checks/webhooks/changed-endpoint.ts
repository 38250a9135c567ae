import type { EndpointChange } from "../../../generated/models/sandbox-webhooks.ts";
import { editedEndpoint } from "../../arrangements/edited-endpoint.ts";
import { emittedEvent } from "../../arrangements/emitted-event.ts";
import type { Check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { rotateSecret } from "../../steps/endpoint.ts";
import { eventually, isSameId } from "../../steps/settle.ts";
import { byFeed, byReceiver, type Heard, heardOf, type Witness, type Witnessed } from "../../steps/witness.ts";
import { chosenTypes } from "./chosen-types.ts";

/** Seconds after a change until it holds everywhere, whatever a server remembers for a while. */
const soon = 3600;

const [one, other] = chosenTypes;

/** What an endpoint hears of a type that it was taken off. */
const unsubscribed = ({ name, sight, needs, watched }: Witness): Check => ({
  id: `webhooks.unsubscribed-by-${name}`,
  title: `An endpoint is not sent a type that it was taken off, as ${sight} shows`,
  rules: ["WHE-10"],
  kind: "scenario",
  needs: ["emit", "endpoint-edit", ...needs],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const changed = await watched(t, main, { events: [one, other] });
    const kept = await watched(t, main, { events: [one] });
    await heardBoth(t, changed, kept);
    const shown = await change(t, changed, { events: [other] }, (data) => isOnly(data.events, other));
    const late = await laterOf(t, changed, kept);
    t.verify("WHE-10", late.length === 0, {
      expected: `no event of ${one}, as the endpoint subscribes to ${other} alone`,
      actual: late.length === 0 ? "none" : late.map(({ id }) => id).join(", "),
      exchanges: [shown],
    });
  },
});

/** What an endpoint hears while it is switched off, and once it is on again. */
const inactive = ({ name, sight, needs, watched }: Witness): Check => ({
  id: `webhooks.inactive-by-${name}`,
  title: `An endpoint is sent nothing while it is not active, is sent what happens once it is again, and can be deleted in either state, as ${sight} shows`,
  rules: ["WHE-07", "WHE-14", "WHE-15"],
  kind: "scenario",
  needs: ["emit", "endpoint-edit", ...needs],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const changed = await watched(t, main, { events: [one] });
    const kept = await watched(t, main, { events: [one] });
    await heardBoth(t, changed, kept);
    const off = await change(t, changed, { active: false }, ({ active }) => active === false);
    const late = await laterOf(t, changed, kept);
    t.verify("WHE-15", late.length === 0, {
      expected: "no event that happened while the endpoint was not active",
      actual: late.length === 0 ? "none" : late.map(({ id }) => id).join(", "),
      exchanges: [off],
    });
    const on = await change(t, changed, { active: true }, ({ active }) => active === true);
    const known = (await changed.heard()).map(({ id }) => id);
    if (main.tenant.manualClock) await main.tenant.advance(soon, "a change to hold everywhere");
    const again = await isHeardByBoth(t, changed, kept);
    t.verify("WHE-14", again, {
      expected: `an event of ${one} at the endpoint that is active again, as at the one beside it`,
      actual: again ? "one" : "none in time",
      exchanges: [on],
    });
    const belated = (await changed.heard()).filter(({ id }) => !known.some((each) => isSameId(each, id))).length - 1;
    t.verify("WHE-15", belated <= 0, {
      expected: "one event since the endpoint is active again, as one happened",
      actual: belated <= 0 ? "that" : `${belated} more, of what happened while it was not`,
      exchanges: [off, on],
    });
    await change(t, changed, { active: false }, ({ active }) => active === false);
    t.accepted("WHE-07", await t.call("deleteWebhookEndpoint", { path: { id: changed.endpoint.id } }, main));
  },
});

/** By what reaches the kit's receiver, and without one by what the feed records. */
export const changedEndpointChecks: readonly Check[] = [
  ...[unsubscribed(byReceiver), unsubscribed(byFeed)],
  ...[inactive(byReceiver), inactive(byFeed)],
];

/** Makes an event that the second of two endpoints hears of; whether the first one does, too. */
async function isHeardByBoth(t: CheckContext, changed: Witnessed, kept: Witnessed): Promise<boolean> {
  const { tenant } = kept.endpoint.owner;
  const [before, known] = [await changed.heard(), await kept.heard()];
  await tenant.arrange(emittedEvent, { type: one });
  await heardOf(t, kept, (heard) => heard.length > known.length);
  const found = await eventually(t, tenant, async () => ((await changed.heard()).length > before.length ? true : null));
  return found !== null;
}

/** The sound twin: while both endpoints subscribe and are active, both hear. */
async function heardBoth(t: CheckContext, changed: Witnessed, kept: Witnessed): Promise<void> {
  if (!(await isHeardByBoth(t, changed, kept)))
    throw new Blocked("one of two endpoints was not sent an event", "see WHE-14 first", "server");
}

/** Changes an endpoint, and shows by its next rotation that the change is made. */
async function change(
  t: CheckContext,
  { endpoint }: Witnessed,
  wanted: EndpointChange,
  isMade: (data: Readonly<Record<string, unknown>>) => boolean,
): Promise<Exchange> {
  await endpoint.owner.tenant.arrange(editedEndpoint, { endpoint_id: endpoint.id, ...wanted });
  const { data, exchange } = await rotateSecret(t, endpoint);
  if (isMade(data)) return exchange;
  const message = `after a change of ${Object.keys(wanted).join()} a rotation was answered ${summaryOf(exchange)} without it`;
  throw new Blocked(message, "see whether endpoints are really changed", "environment");
}

/** What the changed endpoint hears of the second of two events, the other one having heard of both. */
async function laterOf(t: CheckContext, changed: Witnessed, kept: Witnessed): Promise<readonly Heard[]> {
  const { tenant } = kept.endpoint.owner;
  const ofOne = async (): Promise<readonly Heard[]> => (await changed.heard()).filter(({ type }) => type === one);
  const emitted = async (): Promise<void> => {
    const known = (await kept.heard()).length;
    await tenant.arrange(emittedEvent, { type: one });
    await heardOf(t, kept, (heard) => heard.length > known);
  };
  // What happens at once may still be told by what was remembered.
  await emitted();
  if (tenant.manualClock) await tenant.advance(soon, "a change to hold everywhere");
  const before = await ofOne();
  await emitted();
  return (await ofOne()).filter(({ id }) => !before.some((known) => isSameId(known.id, id)));
}

const isOnly = (events: unknown, type: string): boolean =>
  Array.isArray(events) && events.length === 1 && events[0] === type;
