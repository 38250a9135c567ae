import type { RuleId } from "../../../generated/rules.ts";
import type { CheckContext, Evidence } from "../../context/context.ts";
import { eventIdOf, notArrived } from "../../steps/deliver-one.ts";
import { growingSteps } from "../../steps/growing-steps.ts";
import { attemptsAt, eventually, isSameId, settle } from "../../steps/settle.ts";
import { unknownSignature } from "../../steps/unknown-signature.ts";
import { type SeenAttempts, shownBy } from "../../steps/vantage.ts";
import type { EndpointModel, EndpointWorld, KnownEndpoint, KnownEvent } from "./endpoint-model.ts";
import { verifiedText, verifierFor } from "./signatures.ts";

/** Decides whether every endpoint was sent what it may be sent, and nothing else; takes note of what is new. */
export async function judgeAll(model: EndpointModel, { t }: EndpointWorld): Promise<void> {
  for (const endpoint of model.endpoints) {
    const seen = await endpoint.watched.seen();
    judgeEvents(t, model, endpoint, seen);
    await judgeTaken(t, endpoint, seen);
    judgeDeleted(t, endpoint, seen);
    noteSigned(model, endpoint);
    note(endpoint, seen);
  }
}

const countsIn = ({ attempts }: SeenAttempts): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { eventId } of attempts) counts.set(eventId, (counts.get(eventId) ?? 0) + 1);
  return counts;
};

/** Decides of each event that an endpoint was sent whether it was meant for it. */
function judgeEvents(t: CheckContext, model: EndpointModel, endpoint: KnownEndpoint, seen: SeenAttempts): void {
  const { events } = endpoint.watched.endpoint;
  for (const eventId of countsIn(seen).keys()) {
    // What a server sends by itself is its own matter.
    const event = model.events.get(eventId);
    if (event === undefined) continue;
    const { exchange, type, only } = event;
    const verify = (rule: RuleId, holds: boolean, expected: string): boolean =>
      t.verify(rule, holds, {
        expected,
        actual: holds ? "that" : `event ${event.id} of ${type}, ${event.came}`,
        ...evidenceOf(endpoint, eventId, seen),
        ...(exchange === null ? {} : { exchanges: [exchange] }),
      });
    const where = `at endpoint ${endpoint.watched.endpoint.id}`;
    verify("TEN-04", event.owner === endpoint.owner, `no attempt of another organization's event ${where}`);
    if (event.owner !== endpoint.owner) continue;
    if (only === null) {
      verify(
        "WHE-10",
        events.some((each) => each === type),
        `events of ${events.join(", ")} ${where}`,
      );
      verify("WHE-11", !event.after.has(endpoint), `no event that happened after the deletion ${where}`);
      continue;
    }
    verify(event.came === "of a test" ? "WHE-17" : "WHP-15", only === endpoint, `what is for it ${where}`);
    if (event.came === "of a replay")
      verify("WHP-33", !event.after.has(endpoint), `no replay after the deletion ${where}`);
  }
}

const evidenceOf = (
  { watched }: KnownEndpoint,
  eventId: string,
  { shown }: SeenAttempts,
): Pick<Evidence, "exchanges" | "deliveries"> => {
  if (watched.inbox === null) return { ...shownBy(shown), exchanges: shownBy(shown).exchanges.slice(0, 1) };
  const deliveries = watched.inbox.deliveries().filter((one) => isSameId(eventIdOf(one), eventId));
  return { exchanges: [watched.endpoint.exchange], deliveries };
};

/** Decides whether what was taken is left alone. */
async function judgeTaken(t: CheckContext, { taken, watched }: KnownEndpoint, seen: SeenAttempts): Promise<void> {
  const counts = countsIn(seen);
  for (const [eventId, before] of taken) {
    const further = (counts.get(eventId) ?? 0) - before;
    // An answer that was lost on its way is tried again, and rightly so.
    const isAgain = further > 0 && (await isTakenTwice(t, watched, eventId));
    t.verify("EVT-14", !isAgain, {
      expected: `no attempt of event ${eventId} after its success`,
      actual: isAgain ? `${further} more` : "none",
      ...shownBy(seen.shown.slice(-2)),
    });
  }
}

/** Whether the feed shows a success, and another attempt after it. */
async function isTakenTwice(
  t: CheckContext,
  { endpoint }: KnownEndpoint["watched"],
  eventId: string,
): Promise<boolean> {
  const { records } = await attemptsAt(t, endpoint, 0);
  const mine = records.filter(({ event_id }) => isSameId(event_id, eventId));
  const last = Math.max(...mine.map(({ attempt }) => Number(attempt)));
  const successes = mine.filter(({ outcome }) => outcome === "success");
  return successes.length > 1 || successes.some(({ attempt }) => Number(attempt) < last);
}

/** Decides whether a deleted endpoint is sent no more of what had failed before. */
function judgeDeleted(t: CheckContext, { deletion, watched }: KnownEndpoint, seen: SeenAttempts): void {
  // Records of attempts that were made before may be shown late.
  if (deletion === null || watched.inbox === null) return;
  const further = seen.attempts.length - deletion.attempts;
  t.verify("WHE-16", further <= 0, {
    expected: `no attempt at endpoint ${watched.endpoint.id} after it was deleted`,
    actual: further > 0 ? `${further} more` : "none",
    exchanges: [deletion.exchange],
    deliveries: watched.inbox.deliveries().slice(deletion.attempts),
  });
}

function note(endpoint: KnownEndpoint, seen: SeenAttempts): void {
  for (const [eventId, count] of countsIn(seen)) {
    const isNew = count > (endpoint.counts.get(eventId) ?? 0);
    endpoint.counts.set(eventId, count);
    if (!isNew) continue;
    if (endpoint.meets === 200) endpoint.taken.set(eventId, count);
    else endpoint.hasFailed = true;
  }
}

/** Keeps what arrived since with the secrets of this moment. */
function noteSigned(model: EndpointModel, { watched, secrets, signed, ...rest }: KnownEndpoint): void {
  const now = secrets.at(-1);
  if (watched.inbox === null || now === undefined || rest.deletion !== null) return;
  for (const delivery of watched.inbox.deliveries().slice(sumOf(rest.counts))) {
    const event = model.events.get(eventIdOf(delivery).toLowerCase());
    if (event === undefined || delivery.truncated || delivery.broken) continue;
    const known = [...event.secrets].find(([endpoint]) => endpoint.watched === watched)?.[1];
    signed.push({ delivery, now, before: secrets.slice(0, -1), wasInFlight: known !== secrets.length });
  }
}

const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

/** What an event is expected at, and the rule that says so. */
export interface Expected {
  readonly event: KnownEvent;
  readonly rule: "WHE-08" | "WHE-14" | "WHP-13";
  readonly endpoints: readonly KnownEndpoint[];
}

/** Has an event delivered, and decides whether it reaches the endpoints that it is for: none of them has failed before. */
export async function judgeArrival(
  { t, owners }: EndpointWorld,
  model: EndpointModel,
  { event, rule, endpoints }: Expected,
): Promise<void> {
  const { tenant } = owners[event.owner];
  const lacking = async (): Promise<readonly KnownEndpoint[]> => {
    const seen = await Promise.all(endpoints.map(({ watched }) => watched.seen()));
    return endpoints.filter((_, index) => !seen[index]?.attempts.some(({ eventId }) => eventId === event.id));
  };
  await settle(tenant);
  if (endpoints.length === 0) return;
  if ((await lacking()).length > 0)
    await eventually(t, tenant, async () => ((await lacking()).length === 0 ? true : null));
  // Where nothing has reached the receiver in the whole run, the way to it may be at fault.
  const arrival = await (await lacking())[0]?.watched.inbox?.until(1);
  if (arrival !== undefined && !arrival.ok && !arrival.reached) throw notArrived(arrival);
  // A server may work through an organization's deliveries in their order: what fails beside it is over some day.
  for (const seconds of growingSteps) {
    if ((await lacking()).length === 0) break;
    for (const each of model.endpoints.filter(({ deletion }) => deletion === null)) await meet(each, 200);
    await tenant.advance(seconds, "an event that is held back");
    model.elapsed[event.owner] += seconds;
  }
  const unseen = await lacking();
  t.verify(rule, unseen.length === 0, {
    expected: `event ${event.id} of ${event.type}, ${event.came}, at ${endpoints.length} endpoints that took all so far`,
    actual: unseen.length === 0 ? "that" : `not at ${unseen.map(({ watched }) => watched.endpoint.id).join(", ")}`,
    isSilence: true,
    exchanges: [
      ...(event.exchange === null ? [] : [event.exchange]),
      ...unseen.map(({ watched }) => watched.endpoint.exchange),
    ],
  });
}

/** Has attempts at an endpoint meet something else. */
export async function meet(endpoint: KnownEndpoint, met: KnownEndpoint["meets"]): Promise<void> {
  if (endpoint.meets === met) return;
  await endpoint.watched.meet(met);
  endpoint.meets = met;
}

/** Decides whether what arrived was signed with the secret of its moment, and with none before it. */
export async function judgeSigned(model: EndpointModel, { t, owners }: EndpointWorld): Promise<void> {
  for (const [index] of owners.entries()) {
    const signed = model.endpoints.filter(({ owner }) => owner === index).flatMap((endpoint) => endpoint.signed);
    if (signed.length === 0) continue;
    const secrets = [...new Set(signed.flatMap(({ now, before }) => [now, ...before]).map(({ secret }) => secret))];
    const deliveries = signed.map(({ delivery }) => delivery);
    const verifies = await verifierFor(t, deliveries, secrets);
    if (signed.every(({ delivery, now }) => verifies(delivery, now.secret) === "unknown")) {
      for (const rule of ["WHR-12", "WHR-13"] as const)
        t.undecided(rule, unknownSignature("deliveries"), ...deliveries);
      continue;
    }
    for (const { delivery, now, before, wasInFlight: warnOnly } of signed) {
      const shown = { exchanges: [now.exchange], deliveries: [delivery], warnOnly };
      const withNow = verifies(delivery, now.secret);
      const expected = "a delivery that verifies with the secret of the last rotation";
      t.verify("WHR-12", withNow === "yes", { expected, actual: verifiedText(withNow), ...shown });
      if (before.length === 0) continue;
      const isOld = before.some(({ secret }) => verifies(delivery, secret) === "yes");
      t.verify("WHR-13", !isOld, {
        expected: "a delivery that verifies with none of the secrets before",
        actual: isOld ? "it verifies with one of them" : "it does not",
        ...shown,
      });
    }
  }
}
