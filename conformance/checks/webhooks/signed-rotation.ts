import { eventTypes } from "../../../generated/events.ts";
import type { RuleId } from "../../../generated/rules.ts";
import { editedEndpoint } from "../../arrangements/edited-endpoint.ts";
import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { delay, respond } from "../../exchange/answer.ts";
import type { Delivery } from "../../exchange/delivery.ts";
import { dataOf, isSuccess, objectOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import type { Inbox } from "../../receiver/inbox.ts";
import { arrived, deliverOne, deliverTest, eventIdOf, newcomersTo } from "../../steps/deliver-one.ts";
import {
  callCreate,
  createEndpoint,
  type Endpoint,
  endpointIn,
  type RotatedSecret,
  rotateSecret,
  usualEvent,
} from "../../steps/endpoint.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { makeEvent } from "../../steps/make-event.ts";
import { mayBeOlder } from "../../steps/may-be-older.ts";
import { nextAttempt } from "../../steps/next-attempt.ts";
import { callReplay, replayedIn } from "../../steps/replay.ts";
import { attemptsAt, isSameId, settle } from "../../steps/settle.ts";
import { unknownSignature } from "../../steps/unknown-signature.ts";
import { verifiedText, verifierFor } from "./signatures.ts";

/** Milliseconds that the receiver holds a delivery, so that a rotation comes in between. */
const flight = 300;

/** Seconds after a change until it holds everywhere, whatever a server remembers for a while. */
const soon = 3600;

/** What the endpoint that is rotated does not hear of. */
const otherEvents = eventTypes.filter((type) => type !== usualEvent).slice(0, 1);

/** Rotations that are asked for at once. */
const atOnce = 3;

/** A delivery that began after a rotation, with the secrets of before and after. */
interface Signed {
  readonly delivery: Delivery;
  readonly now: RotatedSecret;
  readonly before: RotatedSecret | null;
  /** It is another attempt at a delivery that began before the rotation: the document admits that those go wrong. */
  readonly wasInFlight: boolean;
}

/** Deliveries around rotations. */
export const signedRotation = check({
  id: "webhooks.signed-rotation",
  title:
    "What is delivered after a rotation is signed with the new secret and not with the old one, retries and replays too, and shows neither",
  rules: ["WHR-12", "WHR-13", "WHR-22"],
  kind: "scenario",
  needs: ["receiver"],
  effects: ["creates"],
  draws: { deliveryReplays: 1 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const inbox = t.inbox();
    const endpoint = await createEndpoint(t, await tenant.main(), { inbox });
    const first = await rotateSecret(t, endpoint);
    const one = await deliverOne(t, endpoint, inbox);
    const beside = await bystander(t, endpoint.owner);
    const testBefore = await deliverTest(t, endpoint, inbox);
    const second = await rotateSecret(t, endpoint);
    // Another one at the same address, where a server admits that, has a secret of its own.
    const { url, events } = endpoint;
    const body = { url, events: otherEvents.length > 0 ? otherEvents : events };
    const created = await callCreate(t, endpoint.owner, body);
    const sibling = isSuccess(created) ? endpointIn(t, created, body, endpoint.owner) : null;
    // Nor is what that one is given given to this one.
    if (sibling !== null && !isSameId(sibling.id, endpoint.id)) await rotateSecret(t, sibling);
    const other = await deliverOne(t, endpoint, inbox);
    const test = testBefore === null ? null : await deliverTest(t, endpoint, inbox);
    // Where time runs and nobody tells the event's id, what a server sends a new endpoint by itself may be taken for it.
    const isUntold = !tenant.manualClock && !tenant.can(emittedEvent);
    const inFlight = (delivery: Delivery, since: RotatedSecret): Pick<Signed, "delivery" | "wasInFlight"> => ({
      delivery,
      wasInFlight: isUntold && mayBeOlder(delivery, since.exchange, t.timing.clockSkew),
    });
    const signed: Signed[] = [
      { ...inFlight(one, first), now: first, before: null },
      { ...inFlight(other, second), now: second, before: first },
      ...(test === null ? [] : [{ ...inFlight(test, second), now: second, before: first }]),
      ...(await beside()),
    ];
    const replayed = await replayOf(t, endpoint, inbox, one);
    if (replayed !== null) signed.push({ delivery: replayed, now: second, before: first, wasInFlight: false });
    const retried = tenant.manualClock ? await rotatedInFlight(t, endpoint, inbox, second) : null;
    if (retried !== null) signed.push(retried);
    await judge(t, signed);
    judgeShown(t, signed);
    await judgeAtOnce(t, endpoint, inbox, signed.at(-1));
  },
});

/** A rotation soon after that of the organization's secret, whose predecessor is still good for a while: an endpoint's is not. */
export const rotatedWithOrganization = check({
  id: "webhooks.rotated-with-organization",
  title:
    "A rotation of an endpoint's secret right after that of the organization's leaves the old one good for nothing",
  rules: ["WHR-12", "WHR-13"],
  kind: "scenario",
  needs: ["fresh-organization", "receiver"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const inbox = t.inbox();
    const endpoint = await createEndpoint(t, main, { inbox });
    const before = await rotateSecret(t, endpoint);
    const one = await deliverOne(t, endpoint, inbox);
    t.control(await t.call("rotateOrganizationSecret", {}, main), "rotating the organization's secret");
    const now = await rotateSecret(t, endpoint);
    const other = await deliverOne(t, endpoint, inbox);
    const isUntold = !tenant.manualClock && !tenant.can(emittedEvent);
    await judge(t, [
      { delivery: one, now: before, before: null, wasInFlight: false },
      { delivery: other, now, before, wasInFlight: isUntold && mayBeOlder(other, now.exchange, t.timing.clockSkew) },
    ]);
  },
});

/** A rotation while nothing is sent. */
export const rotatedWhileOff = check({
  id: "webhooks.rotated-while-off",
  title: "A rotation of an endpoint that is not active leaves it so, and holds once it is active again",
  rules: ["WHR-12", "WHR-13", "WHR-23"],
  kind: "scenario",
  needs: ["receiver", "emit", "endpoint-edit", "manual-clock"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const inbox = t.inbox();
    const endpoint = await createEndpoint(t, await tenant.main(), { inbox });
    const before = await rotateSecret(t, endpoint);
    const one = await deliverOne(t, endpoint, inbox);
    await tenant.arrange(editedEndpoint, { endpoint_id: endpoint.id, active: false });
    await tenant.advance(soon, "a change to hold everywhere");
    const where = newcomersTo(inbox);
    await makeEvent(t, endpoint);
    await settle(tenant);
    const isOff = !inbox.deliveries().some(where);
    const now = await rotateSecret(t, endpoint);
    await tenant.arrange(editedEndpoint, { endpoint_id: endpoint.id, active: true });
    await tenant.advance(soon, "a change to hold everywhere");
    const other = await deliverOne(t, endpoint, inbox);
    await judge(t, [
      { delivery: one, now: before, before: null, wasInFlight: false },
      { delivery: other, now, before, wasInFlight: false },
    ]);
    if (!isOff) throw new Blocked("an endpoint that was switched off is sent events", "see WHE-15 first", "server");
    const { active } = objectOf(dataOf(now.exchange)) ?? {};
    t.verify("WHR-23", active !== true, {
      expected: "an endpoint that is not active, as before",
      actual: "one that is",
      exchanges: [now.exchange],
    });
  },
});

/** An endpoint that hears of more, whose secret stays; gives what reached it since, of events of its own and others. */
async function bystander(t: CheckContext, owner: Credential): Promise<() => Promise<readonly Signed[]>> {
  const inbox = t.inbox();
  const endpoint = await createEndpoint(t, owner, { inbox, events: [...otherEvents, usualEvent] });
  const now = await rotateSecret(t, endpoint);
  const where = newcomersTo(inbox);
  return async () => {
    const own = eventIdOf(await deliverOne(t, endpoint, inbox));
    const since = inbox.deliveries().filter((one) => where(one) && !one.truncated && !one.broken);
    // Where time runs, what a server sends a new endpoint by itself may have been signed before the rotation.
    const mayBeOlder = (one: Delivery): boolean => !owner.tenant.manualClock && !isSameId(eventIdOf(one), own);
    return since.map((delivery) => ({ delivery, now, before: null, wasInFlight: mayBeOlder(delivery) }));
  };
}

/** Rotations that meet: whichever is the last, its secret is one of those that were shown. */
async function judgeAtOnce(
  t: CheckContext,
  endpoint: Endpoint,
  inbox: Inbox,
  known: Signed | undefined,
): Promise<void> {
  const path = { id: endpoint.id };
  const exchanges = await Promise.all(
    Array.from({ length: atOnce }, () => t.call("rotateEndpointSecret", { path }, endpoint.owner)),
  );
  const secrets = exchanges.flatMap((exchange) => {
    const { secret } = objectOf(isSuccess(exchange) ? dataOf(exchange) : null) ?? {};
    return typeof secret === "string" ? [secret] : [];
  });
  // One that was answered in another way may have rotated all the same.
  if (known === undefined || secrets.length < atOnce) return;
  inbox.answer(respond(200));
  const delivery = await deliverOne(t, endpoint, inbox);
  // What was signed before tells how this server signs.
  const verifies = await verifierFor(t, [known.delivery, delivery], [known.now.secret, ...secrets]);
  const verdicts = secrets.map((secret) => verifies(delivery, secret));
  if (verdicts.every((verdict) => verdict === "unknown")) return;
  const count = verdicts.filter((verdict) => verdict === "yes").length;
  const evidence = { actual: `it verifies with ${count} of them`, exchanges, deliveries: [delivery] };
  const of = `of the ${atOnce} secrets that rotations at once have shown`;
  t.verify("WHR-12", count >= 1, { expected: `a delivery that verifies with one ${of}`, ...evidence });
  t.verify("WHR-13", count <= 1, { expected: `a delivery that verifies with no more than one ${of}`, ...evidence });
}

/** The replay of a delivery that was made before a rotation; null where there is none, which is for other rules to say. */
async function replayOf(
  t: CheckContext,
  endpoint: Endpoint,
  inbox: Inbox,
  original: Delivery,
): Promise<Delivery | null> {
  const isIt = ({ event_id }: AttemptRecord): boolean => isSameId(event_id, eventIdOf(original));
  const { records } = await attemptsAt(t, endpoint, (all) => all.some(isIt));
  const { id } = records.find(isIt) ?? {};
  if (typeof id !== "string") return null;
  const exchange = await callReplay(t, endpoint.owner, id);
  if (!isSuccess(exchange)) return null;
  const { eventId } = replayedIn(exchange);
  await settle(endpoint.owner.tenant);
  const arrival = await inbox.until(1, { where: (one) => isSameId(eventIdOf(one), eventId) });
  return arrival.deliveries.at(-1) ?? null;
}

/** A delivery that fails while its endpoint's secret is rotated, and its next attempt; null when there is none. */
async function rotatedInFlight(
  t: CheckContext,
  endpoint: Endpoint,
  inbox: Inbox,
  before: RotatedSecret,
): Promise<Signed | null> {
  inbox.answer(delay(flight, respond(500)), respond(200));
  const where = newcomersTo(inbox);
  await makeEvent(t, endpoint);
  const [delivery, now] = await Promise.all([
    inbox.until(1, { where }).then(async (arrival) => [arrived(arrival), await rotateSecret(t, endpoint)] as const),
    settle(endpoint.owner.tenant),
  ]).then(([both]) => both);
  const retry = await nextAttempt(endpoint.owner.tenant, inbox, eventIdOf(delivery));
  return retry === null ? null : { delivery: retry, now, before, wasInFlight: true };
}

/** Decides that what is signed with a secret does not tell it. */
function judgeShown(t: CheckContext<"WHR-22">, signed: readonly Signed[]): void {
  for (const { delivery, now, before } of signed) {
    const text = delivery.body.toString();
    // A slash may be escaped in JSON.
    const texts = [text, text.replaceAll("\\/", "/"), ...delivery.headers.map(([, value]) => value)];
    const secrets = [now, ...(before === null ? [] : [before])];
    const isTold = secrets.some(({ secret }) => texts.some((one) => one.includes(secret)));
    t.verify("WHR-22", !isTold, {
      expected: "a delivery without the endpoint's secret",
      actual: isTold ? "one that shows it" : "that",
      exchanges: secrets.map(({ exchange }) => exchange),
      deliveries: [delivery],
    });
  }
}

async function judge(t: CheckContext, signed: readonly Signed[]): Promise<void> {
  const secrets = [...new Set(signed.flatMap(({ now, before }) => [now.secret, before?.secret ?? now.secret]))];
  const deliveries = signed.map(({ delivery }) => delivery);
  const verifies = await verifierFor(t, deliveries, secrets);
  const rules: readonly RuleId[] = ["WHR-12", "WHR-13"];
  if (signed.every(({ delivery, now }) => verifies(delivery, now.secret) === "unknown")) {
    for (const rule of rules) t.undecided(rule, unknownSignature("deliveries"), ...deliveries);
    return;
  }
  for (const { delivery, now, before, wasInFlight: warnOnly } of signed) {
    const withNew = verifies(delivery, now.secret);
    const exchanges = [...(before === null ? [] : [before.exchange]), now.exchange];
    t.verify("WHR-12", withNew === "yes", {
      ...{ expected: "a delivery that verifies with the secret of the last rotation", actual: verifiedText(withNew) },
      ...{ exchanges, deliveries: [delivery], warnOnly },
    });
    if (before === null) continue;
    const withOld = verifies(delivery, before.secret);
    t.verify("WHR-13", withOld !== "yes", {
      ...{ expected: "a delivery that no longer verifies with the secret before", actual: verifiedText(withOld) },
      ...{ exchanges, deliveries: [delivery], warnOnly },
    });
  }
}
