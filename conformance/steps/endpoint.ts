import { randomUUID } from "node:crypto";
import { type EventType, eventType } from "../../generated/events.ts";
import { operations } from "../../generated/operations.ts";
import { forcedAnswers } from "../arrangements/forced-answers.ts";
import type { CheckContext } from "../context/context.ts";
import { rowNamed } from "../exchange/admits.ts";
import { dataOf, type Exchange, isSuccess, objectOf, statusOf, summaryOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import type { Inbox } from "../receiver/inbox.ts";
import { answeredBy } from "./answered-by.ts";
import { refusesBody } from "./body-refusals.ts";
import { settle } from "./settle.ts";

/** An endpoint that a check created through the API under test; the kit deletes it when the check has ended. */
export interface Endpoint {
  readonly id: string;
  readonly url: string;
  /** What it was asked to subscribe to. */
  readonly events: readonly EventType[];
  /** The payload of the create answer. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly exchange: Exchange;
  /** Who created it; further calls on it are made as them. */
  readonly owner: Credential;
}

export interface EndpointWish {
  /** Where deliveries go; an address that nobody serves when left out. */
  readonly inbox?: Inbox;
  readonly url?: string;
  /** Types to subscribe to; one when left out. */
  readonly events?: readonly EventType[];
}

/** What an endpoint subscribes to when a check does not say. */
export const usualEvent: EventType = eventType.lookupCompleted;

/**
 * A public https address at which nobody answers: the name is reserved and never resolves (RFC 2606, 3). Each is
 * another one, so that a server that joins endpoints of one address keeps them apart.
 */
const unreachableUrl = (): string => `https://bylaw.example/${randomUUID()}`;

/** The body of a sound creation. */
export const endpointBody = ({ inbox, url, events = [usualEvent] }: EndpointWish): EndpointBody => ({
  url: inbox?.url ?? url ?? unreachableUrl(),
  events,
});

/** The body of one more sound creation, at an address beside that of an endpoint which the target admitted. */
export const bodyLike = ({ url, events }: Pick<Endpoint, "url" | "events">): EndpointBody => ({
  url: `${url}/${randomUUID()}`,
  events,
});

export interface EndpointBody {
  readonly url: string;
  readonly events: readonly EventType[];
}

/** Creates an endpoint: a set-up step, or the sound twin of a creation with one defect. Blocks when that is refused. */
export async function createEndpoint(t: CheckContext, as: Credential, wish: EndpointWish = {}): Promise<Endpoint> {
  const body = endpointBody(wish);
  const exchange = await callCreate(t, as, body);
  if (isSuccess(exchange)) {
    const endpoint = endpointIn(t, exchange, body, as);
    await takeGreetings(endpoint, wish);
    return endpoint;
  }
  // A target may want an address at which somebody answers, even where nothing is to be delivered.
  const anyAddress = wish.inbox === undefined && wish.url === undefined;
  const inbox = anyAddress && refusesBody(exchange) ? await t.spareInbox() : null;
  if (inbox !== null) return createEndpoint(t, as, { ...wish, inbox });
  throw refusedCreation(exchange, body.url, wish.inbox !== undefined);
}

/**
 * Takes what a server may send a new endpoint by itself, so that answers which a check chooses meet what the check makes.
 * Where time runs, it may come later.
 */
async function takeGreetings({ id, owner: { tenant } }: Endpoint, { inbox }: EndpointWish): Promise<void> {
  if (!tenant.manualClock) return;
  if (inbox === undefined && tenant.can(forcedAnswers))
    await tenant.arrange(forcedAnswers, { endpoint_id: id, answers: [{ status: 200 }], repeat_last: true });
  await settle(tenant);
}

/** Asks for an endpoint once, whatever the answer; the body is written as the target wants it. */
export const callCreate = (t: CheckContext, as: Credential, body: unknown): Promise<Exchange> =>
  t.call("createWebhookEndpoint", { body: t.shapeRequest("createWebhookEndpoint", body) }, as);

/** Whether a request was refused as the caller's fault. */
export function isRefused(exchange: Exchange): boolean {
  const status = statusOf(exchange) ?? 0;
  return status >= 400 && status <= 499;
}

/** The endpoint of a creation that was accepted. */
export function endpointIn(t: CheckContext, exchange: Exchange, body: EndpointBody, owner: Credential): Endpoint {
  const data = objectOf(t.shapeResponse("createWebhookEndpoint", dataOf(exchange))) ?? {};
  const { id } = data;
  if (typeof id !== "string") {
    const unblock = "see WHE-01 first, or say where the id stands: shapes in the target file";
    throw new Blocked("the created endpoint has no id", unblock, "server");
  }
  const known = ids.get(t) ?? new Set<string>();
  ids.set(t, known);
  // What answers every creation alike has created nothing.
  if (known.has(id)) throw new Blocked("two created endpoints have one id", "see WHE-01 first", "server");
  known.add(id);
  return { id, ...body, data, exchange, owner };
}

/** Ids of endpoints that one check created: what it finds depends on no other. */
const ids = new WeakMap<CheckContext, Set<string>>();

/** A receiver's address may lawfully be refused, and so may a shape that the document does not show. */
function refusedCreation(exchange: Exchange, url: string, received: boolean): Blocked {
  // Without the path, which is another one each time.
  const message = `creating an endpoint at ${new URL(url).origin} was answered ${summaryOf(exchange)}`;
  if (answeredBy(exchange, "Forbidden"))
    return new Blocked(message, `give the kit a key that holds ${operations.createWebhookEndpoint.scope}`);
  if (answeredBy(exchange, "LimitExceeded"))
    return new Blocked(message, "delete endpoints that are no longer used, or give the kit an organization of its own");
  // Who calls, and a failing server, have nothing to do with the address or the shape.
  const status = statusOf(exchange) ?? 0;
  if (status === rowNamed("Unauthorized").referenceStatus || status >= 500)
    return new Blocked(message, "see the rules on this request first", "server", exchange);
  const shapes = "if its request looks different, map it: shapes in the target file";
  return received
    ? new Blocked(
        message,
        `let the target deliver to this address (a sandbox may admit loopback), or give the receiver one that it admits: --receiver-url; ${shapes}`,
      )
    : new Blocked(
        message,
        `give the kit a receiver that the target admits: --receiver-listen, --receiver-url; ${shapes}`,
      );
}

/** A rotation of an endpoint's secret that was accepted. */
export interface RotatedSecret {
  readonly secret: string;
  /** The payload of the answer. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly exchange: Exchange;
}

/** Rotates an endpoint's secret, which is the only way to see one. Blocks when that is refused. */
export async function rotateSecret(t: CheckContext, { id, owner }: Endpoint): Promise<RotatedSecret> {
  const called = await t.call("rotateEndpointSecret", { path: { id } }, owner);
  const exchange = t.control(called, "rotating an endpoint's secret");
  const data = objectOf(dataOf(exchange)) ?? {};
  const { secret } = data;
  if (typeof secret === "string" && secret !== "") return { secret, data, exchange };
  throw new Blocked("the rotated endpoint has no secret", "see WHR-02 first", "server");
}

/** Deletes an endpoint. Blocks when that is refused. */
export async function deleteEndpoint(t: CheckContext, { id, owner }: Endpoint): Promise<Exchange> {
  return t.control(await t.call("deleteWebhookEndpoint", { path: { id } }, owner), "deleting an endpoint");
}

/** Whether two texts are one address, however it is written (RFC 3986, 6.2). */
export const isSameUrl = (one: unknown, other: unknown): boolean =>
  typeof one === "string" &&
  typeof other === "string" &&
  URL.canParse(one) &&
  URL.canParse(other) &&
  new URL(one).href === new URL(other).href;
