import { operations } from "../../generated/operations.ts";
import { entities } from "../../generated/states.ts";
import type { CheckContext } from "../context/context.ts";
import type { Draws } from "../context/draws.ts";
import { recipientZones } from "../context/recipient-zones.ts";
import { dataOf, type Exchange, errorOf, isSuccess, objectOf, summaryOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import { answeredBy } from "./answered-by.ts";
import { captureConsent } from "./consent.ts";
import { recordsIn } from "./feed.ts";
import { dueText, isZone, nextTimeText, quietAt, usualQuietHours } from "./local-time.ts";
import { organizationTime } from "./organization-time.ts";
import { eventually, onceFound } from "./settle.ts";

/**
 * How far ahead a message is scheduled that is to be canceled, in seconds: nobody claims it before a check is over, it is
 * much the same time of day as now, and a target that schedules a day ahead at most takes it.
 */
export const aheadSeconds = 23 * 3600;

/** The same for a check that moves the clock on: further than it moves it. */
const farAheadSeconds = 6 * 24 * 3600;

const text = "Your table is ready.";

/** What a caller sends; to the first recipient, at once, unless said otherwise. */
export interface SendWish {
  readonly to?: string;
  readonly body?: string;
  readonly scheduled_at?: string;
  readonly bypass_quiet_hours?: boolean;
  /** Makes the call another try of one before it with the same key. */
  readonly key?: string;
}

/** A message that was taken. */
export interface TakenMessage {
  readonly id: string;
  readonly to: string;
  readonly body: string;
  readonly exchange: Exchange;
}

/** What an answer shows of a message; null what it does not. */
export interface ShownMessage {
  readonly id: string | null;
  readonly to: string | null;
  readonly body: string | null;
  readonly status: string | null;
}

/** What so many sends draw, with the consents before them: on the first tier each may have to wait and is sent twice. */
export const sendDraws = (sends: number): Draws => ({
  consentRecords: sends,
  messageSendsPerSecond: 2 * sends,
  messageSendsPerMinute: 2 * sends,
});

const { idempotencyHeader } = operations.sendMessage;

/** Who is sent to where nothing else is said. */
const recipientOf = (t: CheckContext): string => t.numbers("recipients")[0];

/** The input of a send, its body written as the target wants it. */
export function sendInput(t: CheckContext, { key, ...wish }: SendWish = {}) {
  const body = t.shapeRequest("sendMessage", { to: recipientOf(t), body: text, ...wish });
  return { body, ...(key === undefined ? {} : { headers: { [idempotencyHeader]: key } }) };
}

/** Recipients whose consent a check has had captured, and to whom it has not sent since, by their organization. */
const justOptedIn = new WeakMap<CheckContext, WeakMap<Tenant, Set<string>>>();

const optedIn = (t: CheckContext, tenant: Tenant): Set<string> => {
  const ofCheck = justOptedIn.get(t) ?? new WeakMap<Tenant, Set<string>>();
  const ofTenant = ofCheck.get(tenant) ?? new Set<string>();
  justOptedIn.set(t, ofCheck.set(tenant, ofTenant));
  return ofTenant;
};

/**
 * Sends once more where a limit makes it wait, whatever the answer; the first time after a consent was captured until
 * that has come into effect, which it may do a little later.
 */
export const callSend = (t: CheckContext, as: Credential, wish: SendWish = {}): Promise<Exchange> =>
  optedIn(t, as.tenant).has(wish.to ?? recipientOf(t))
    ? sendUntil(t, as, wish, isNoLackOfConsent)
    : t.call("sendMessage", sendInput(t, wish), as);

/** Sends until the answer is as wanted, or for as long as an effect may take to show: the last answer. */
export async function sendUntil(
  t: CheckContext,
  as: Credential,
  wish: SendWish,
  isWanted: (exchange: Exchange) => boolean,
): Promise<Exchange> {
  const to = wish.to ?? recipientOf(t);
  const isOptedIn = optedIn(t, as.tenant).delete(to);
  let last = await callSend(t, as, wish);
  if (!isWanted(last))
    await eventually(t, as.tenant, async () => {
      last = await callSend(t, as, wish);
      return isWanted(last) ? true : null;
    });
  // A refusal for something else does not show that the consent counts.
  if (isOptedIn && !isSuccess(last) && isNoLackOfConsent(last)) optedIn(t, as.tenant).add(to);
  return last;
}

/** What a consent that was captured leads to, which it may do a little later. */
export const isNoLackOfConsent = (exchange: Exchange): boolean => !answeredBy(exchange, "ConsentRequired");

/**
 * Makes ready for sends of messages for later, each made once when asked for, whatever it is answered; `more` is what each
 * carries besides.
 */
export async function attemptsToSend(
  t: CheckContext,
  as: Credential,
  more: () => Pick<SendWish, "key"> = () => ({}),
): Promise<(index?: number) => Promise<Exchange>> {
  // Not to one recipient alone, as they share the limit.
  const [one, other] = t.numbers("recipients");
  for (const number of [one, other]) await optIn(t, as, number);
  const scheduled_at = await timeAhead(as.tenant, farAheadSeconds);
  return (index = 0) =>
    t.attempt("sendMessage", sendInput(t, { to: index % 2 === 0 ? one : other, scheduled_at, ...more() }), as);
}

/** Has a recipient opted in, or blocks. */
export async function optIn(t: CheckContext, as: Credential, number: string = recipientOf(t)): Promise<void> {
  const exchange = await captureConsent(t, as, number);
  if (answeredBy(exchange, "Forbidden"))
    throw new Blocked(
      "a consent could not be recorded",
      `give the kit a key that holds ${operations.captureConsent.scope}`,
    );
  // A consent that is on file already may be taken or not.
  if (!answeredBy(exchange, "Conflict")) t.control(exchange, `the consent of ${number}`);
  optedIn(t, as.tenant).add(number);
}

/** Has a message taken: a set-up step, or the sound twin of one with a defect. Blocks when that is refused. */
export async function takeMessage(t: CheckContext, as: Credential, wish: SendWish = {}): Promise<TakenMessage> {
  const { to = recipientOf(t), body = text } = wish;
  await optIn(t, as, to);
  const exchange = admissible(await callSend(t, as, wish));
  return { ...messageIn(t, exchange), to, body };
}

/** The same for one that is scheduled so far ahead that nobody claims it meanwhile. */
export const takeLater = async (t: CheckContext, as: Credential, wish: SendWish = {}): Promise<TakenMessage> =>
  takeMessage(t, as, { scheduled_at: await timeAhead(as.tenant), ...wish });

/** So many seconds ahead in the organization's time. */
export async function timeAhead(tenant: Tenant, seconds = aheadSeconds): Promise<string> {
  return new Date((await organizationTime(tenant)) + seconds * 1000).toISOString();
}

/** Blocks where an answer is none of the operation's doing: there is no money, or it is quiet hours there. */
export function admissible(exchange: Exchange): Exchange {
  const what = `a send was answered ${summaryOf(exchange)}`;
  if (answeredBy(exchange, "InsufficientCredit"))
    throw new Blocked(what, "give the organization of the key some credit: its wallet does not cover a message");
  byDay(exchange);
  if (answeredBy(exchange, "Forbidden"))
    throw new Blocked(what, `give the kit a key that holds ${operations.sendMessage.scope}`);
  return exchange;
}

/** Blocks where it is quiet hours at the recipient: whether an organization has some by default is open. */
export function byDay(exchange: Exchange): Exchange {
  if (!answeredBy(exchange, "QuietHours")) return exchange;
  throw new Blocked(
    `a send was answered ${summaryOf(exchange)}`,
    `run the kit ${dayText(exchange)}, or give it an organization without quiet hours`,
  );
}

/** When a send is not refused for quiet hours: what the refusal says of it, else when it is day for whomever is sent to. */
function dayText(refusal: Exchange): string {
  const { next_send_at: next, recipient_timezone: zone } = objectOf(errorOf(refusal)?.details) ?? {};
  const told = typeof next === "string" ? Date.parse(next) : Number.NaN;
  if (!Number.isNaN(told) && isZone(zone)) return `at ${dueText(told, zone)}, or later that day`;
  if (typeof next === "string") return `at ${next} or later, when it is day there`;
  const isDay = (at: number): boolean => recipientZones.every((each) => quietAt(at, each, usualQuietHours) === false);
  const { start, end } = usualQuietHours;
  const then = nextTimeText(refusal.sentAt, recipientZones.slice(-1), isDay);
  return `at ${then}, or later that day: quiet hours are mostly from ${start} to ${end}`;
}

/** The message of an answer; blocks where it was refused or has no id. */
export function messageIn(t: CheckContext, exchange: Exchange): Pick<TakenMessage, "id" | "exchange"> {
  const { id } = shownIn(t, "sendMessage", t.control(exchange, "sending a message"));
  if (id !== null) return { id, exchange };
  const unblock = "see MSG-01 first, or say where the id stands: shapes in the target file";
  throw new Blocked("the message has no id", unblock, "server");
}

/** What an answer shows of a message. */
export function shownIn(t: CheckContext, operation: "sendMessage" | "getMessage", exchange: Exchange): ShownMessage {
  const { id, to, body, status } = objectOf(t.shapeResponse(operation, dataOf(exchange))) ?? {};
  return { id: textIn(id), to: textIn(to), body: textIn(body), status: textIn(status) };
}

const textIn = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Reads a message once, whatever the answer. */
export const readMessage = (t: CheckContext, as: Credential, id: string): Promise<Exchange> =>
  t.call("getMessage", { path: { id } }, as);

/** One page of the messages, whatever the answer. */
export const listMessages = (
  t: CheckContext,
  as: Credential,
  query: Readonly<Record<string, string>> = {},
): Promise<Exchange> => t.call("listMessages", { query }, as);

/** The messages that a page shows, in the contract's shape. */
export const messagesOn = (t: CheckContext, page: Exchange): readonly Readonly<Record<string, unknown>>[] =>
  recordsIn(t.shapeResponse("listMessages", dataOf(page)));

/** The status of a message once it is as wanted, or what it is in the end: a read may lag behind. */
export async function statusOnce(
  t: CheckContext,
  as: Credential,
  id: string,
  isWanted: (status: string) => boolean,
): Promise<StatusShown> {
  let last = await statusOfMessage(t, as, id);
  if (isWanted(last.status)) return last;
  await eventually(t, as.tenant, async () => {
    last = await statusOfMessage(t, as, id);
    return isWanted(last.status) ? true : null;
  });
  return last;
}

/** Looks in a row that show the same status of a message which is on its way to no other. */
const looksSettled = 4;

/** The names that the contract has for what becomes of messages. */
const namedStatuses: readonly string[] = entities.filter(({ name }) => name === "message").flatMap((one) => one.states);

/**
 * The status in which a message is left by what changed it from `before`. One that the contract does not name may be on
 * the way there: it counts once it is shown for a while.
 */
export async function settledStatus(t: CheckContext, as: Credential, id: string, before: string): Promise<StatusShown> {
  let last = await statusOnce(t, as, id, (status) => status !== before);
  if (last.status === before || namedStatuses.includes(last.status)) return last;
  let looks = 1;
  await eventually(t, as.tenant, async () => {
    const { status } = last;
    last = await statusOfMessage(t, as, id);
    looks = last.status === status ? looks + 1 : 1;
    return looks >= looksSettled ? true : null;
  });
  return last;
}

/** What a read of a message is answered, once it is found: reads may lag behind what was made. */
export const foundMessage = (t: CheckContext, as: Credential, id: string): Promise<Exchange> =>
  onceFound(t, as.tenant, () => readMessage(t, as, id));

/** The status that a message shows; blocks where it shows none. */
export async function statusOfMessage(t: CheckContext, as: Credential, id: string): Promise<StatusShown> {
  const exchange = t.control(await foundMessage(t, as, id), "reading a message");
  return { status: statusShown(t, exchange), exchange };
}

/** The status in what a read was answered; blocks where there is none. */
export function statusShown(t: CheckContext, read: Exchange): string {
  const { status } = shownIn(t, "getMessage", read);
  if (status !== null) return status;
  throw new Blocked("the message shows no status", "say where it stands: shapes in the target file", "server");
}

interface StatusShown {
  readonly status: string;
  readonly exchange: Exchange;
}

/** Cancels a message once, whatever the answer. */
export const callCancel = (t: CheckContext, as: Credential, id: string): Promise<Exchange> =>
  t.call("cancelMessage", { path: { id } }, as);
