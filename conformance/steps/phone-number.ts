import { operations } from "../../generated/operations.ts";
import type { CheckContext } from "../context/context.ts";
import { dataOf, type Exchange, isSuccess, objectOf, summaryOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import { answeredBy } from "./answered-by.ts";
import { bodyRefusals } from "./body-refusals.ts";
import { haveOwnStock, stockAreaCode } from "./number-stock.ts";

/** A phone number that an organization holds. */
export interface HeldNumber {
  readonly id: string;
  /** E.164; null where the answer does not show it. */
  readonly phoneNumber: string | null;
  /** Null where the answer does not show it. */
  readonly status: string | null;
}

/** An order that was met. */
export interface MetOrder {
  readonly numbers: readonly HeldNumber[];
  readonly exchange: Exchange;
}

/** The order of numbers that a search had shown. */
interface AskedOrder extends MetOrder {
  /** The numbers, E.164; an answer need not show them. */
  readonly asked: readonly string[];
}

/** Times that an order is tried again whose numbers others were faster to order. */
const patience = 5;

/** The numbers that a check has named in its orders. */
const askedIn = new WeakMap<CheckContext, Set<string>>();

/** Checks whose target refuses a search that names no area. */
const wantingArea = new WeakSet<CheckContext>();

/** Searches, within an area where the target does not search without one, whatever the answer. */
export async function callSearch(t: CheckContext, as: Credential): Promise<Exchange> {
  const exchange = await t.call("searchPhoneNumbers", { body: searchBody(t) }, as);
  if (wantingArea.has(t) || !bodyRefusals.some((row) => answeredBy(exchange, row))) return exchange;
  wantingArea.add(t);
  return t.call("searchPhoneNumbers", { body: searchBody(t) }, as);
}

const searchBody = (t: CheckContext): unknown =>
  t.shapeRequest("searchPhoneNumbers", wantingArea.has(t) ? { area_code: stockAreaCode } : {});

/** The body of a search that the target takes, found out by a search. */
export async function soundSearchBody(t: CheckContext, as: Credential): Promise<unknown> {
  await callSearch(t, as);
  return searchBody(t);
}

/** The numbers that a search shows; what is no list of texts, and a text that is empty, is left out. */
export function foundIn(t: CheckContext, exchange: Exchange): readonly string[] {
  const { phone_numbers: numbers } = objectOf(t.shapeResponse("searchPhoneNumbers", dataOf(exchange))) ?? {};
  return Array.isArray(numbers) ? numbers.filter((one) => typeof one === "string" && one !== "") : [];
}

/** So many numbers that can be ordered at present: a set-up step. */
export async function availableNumbers(t: CheckContext, as: Credential, count: number): Promise<readonly string[]> {
  await haveOwnStock(as.tenant);
  const exchange = t.control(permitted(await callSearch(t, as), "searchPhoneNumbers"), "searching for phone numbers");
  // What was ordered already may still be shown for a while: others come first.
  const found = foundIn(t, exchange).toSorted((one, other) => Number(isAsked(t, one)) - Number(isAsked(t, other)));
  if (found.length >= count) return found.slice(0, count);
  throw new Blocked(
    `a search showed ${found.length} phone numbers where ${count} are needed`,
    "have the target offer phone numbers for tests, or say where they stand in its answer: shapes in the target file",
    "environment",
  );
}

/** Whether a check has ordered a number, with success or without. */
const isAsked = (t: CheckContext, number: string): boolean => askedIn.get(t)?.has(number) ?? false;

/** So many of the last that a search shows, of which those who order the first ones want none. */
export async function lastNumbers(t: CheckContext, as: Credential, count: number): Promise<readonly string[]> {
  await availableNumbers(t, as, count);
  const found = foundIn(t, await callSearch(t, as));
  return found.toSorted((one, other) => Number(isAsked(t, other)) - Number(isAsked(t, one))).slice(-count);
}

/** Orders certain numbers once, whatever the answer. */
export const callOrder = (t: CheckContext, as: Credential, numbers: readonly string[]): Promise<Exchange> =>
  t.call("orderPhoneNumbers", { body: orderBody(t, numbers) }, as);

/** The body of an order of these numbers, for a campaign if one is given, written as the target wants it. */
export function orderBody(t: CheckContext, phone_numbers: readonly string[], campaign: { campaign_id?: string } = {}) {
  askedIn.set(t, new Set([...(askedIn.get(t) ?? []), ...phone_numbers]));
  return t.shapeRequest("orderPhoneNumbers", { phone_numbers, ...campaign });
}

/** Any numbers of an area to order. */
export interface BulkWish {
  readonly areaCode: string;
  readonly quantity: number;
}

export const bulkBody = (t: CheckContext, { areaCode: area_code, quantity }: BulkWish): unknown =>
  t.shapeRequest("bulkOrderPhoneNumbers", { area_code, quantity });

/** Orders any numbers of an area once, whatever the answer. */
export const callBulkOrder = (t: CheckContext, as: Credential, wish: BulkWish): Promise<Exchange> =>
  t.call("bulkOrderPhoneNumbers", { body: bulkBody(t, wish) }, as);

/** An area of which there are numbers at present, by its code. */
export async function areaWithNumbers(t: CheckContext, as: Credential): Promise<string> {
  const [number = ""] = await availableNumbers(t, as, 1);
  const [, areaCode] = /^\+1(\d{3})\d{7}$/.exec(number) ?? [];
  if (areaCode !== undefined) return areaCode;
  throw new Blocked(
    `a search showed the number ${number}, which has no area code that the kit knows`,
    "have the target offer numbers of the United States or Canada for tests",
    "environment",
  );
}

/** Orders so many numbers: a set-up step, or the sound twin of an order with one defect. Blocks when that is refused. */
export async function orderNumbers(t: CheckContext, as: Credential, count = 1): Promise<AskedOrder> {
  for (let tries = 1; ; tries += 1) {
    const asked = await availableNumbers(t, as, count);
    const exchange = await callOrder(t, as, asked);
    // A search reserves nothing, so that others may have been faster.
    if (tries < patience && answeredBy(exchange, "InsufficientInventoryOnOrder")) continue;
    return { ...metOrder(t, exchange), asked };
  }
}

/** The order of an answer; blocks where it was refused, or shows no ids. */
export function metOrder(t: CheckContext, exchange: Exchange): MetOrder {
  t.control(permitted(exchange, "orderPhoneNumbers"), "ordering phone numbers");
  const numbers = numbersIn(t, "orderPhoneNumbers", exchange);
  if (numbers.length > 0) return { numbers, exchange };
  const unblock = "say where the numbers of an order and their ids stand: shapes in the target file";
  throw new Blocked("an order shows no numbers with ids", unblock, "server");
}

function numbersIn(
  t: CheckContext,
  operation: "orderPhoneNumbers" | "bulkOrderPhoneNumbers",
  exchange: Exchange,
): readonly HeldNumber[] {
  const { phone_numbers: list } = objectOf(t.shapeResponse(operation, dataOf(exchange))) ?? {};
  return (Array.isArray(list) ? list : []).flatMap((one) => numberIn(t, one) ?? heldNumber(one) ?? []);
}

/** Numbers of a bulk order that was met: those that its answer shows, which may be none. Blocks where it was refused. */
export async function bulkOrderNumbers(t: CheckContext, as: Credential, quantity: number): Promise<MetOrder> {
  const wish = { areaCode: await areaWithNumbers(t, as), quantity };
  return metBulkNumbers(t, await callBulkOrder(t, as, wish));
}

/** The same of an answer. */
export const metBulkNumbers = (t: CheckContext, exchange: Exchange): MetOrder => ({
  numbers: numbersIn(t, "bulkOrderPhoneNumbers", metBulkOrder(t, exchange)),
  exchange,
});

/** A bulk order that was met, which may still go on, and so show no numbers; blocks where it was refused. */
export const metBulkOrder = (t: CheckContext, exchange: Exchange): Exchange =>
  t.control(permitted(exchange, "bulkOrderPhoneNumbers"), "ordering phone numbers");

/** One number: a set-up step. */
export async function orderNumber(t: CheckContext, as: Credential): Promise<HeldNumber> {
  const {
    numbers: [number],
  } = await orderNumbers(t, as);
  if (number === undefined) throw new Error("An order that was met has no number.");
  return number;
}

/** What is shown of a number, wherever it stands; null where it has no id. */
export const numberIn = (t: CheckContext, shown: unknown): HeldNumber | null =>
  heldNumber(t.shapeResponse("getPhoneNumber", shown));

function heldNumber(shown: unknown): HeldNumber | null {
  const { id, phone_number, status } = objectOf(shown) ?? {};
  const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
  const named = text(id);
  return named === null ? null : { id: named, phoneNumber: text(phone_number), status: text(status) };
}

/** What of a number its holder's updates change, and nothing else does: it may show more, which changes of itself. */
export function lastingIn(t: CheckContext, shown: unknown): Readonly<Record<string, unknown>> {
  const { id, phone_number, label, inbound_url, status_url, campaign_id } =
    objectOf(t.shapeResponse("getPhoneNumber", shown)) ?? {};
  return { id, phone_number, label, inbound_url, status_url, campaign_id };
}

/** The same of a number that is read now. */
export const shownNumber = async (
  t: CheckContext,
  as: Credential,
  id: string,
): Promise<Readonly<Record<string, unknown>>> =>
  lastingIn(t, dataOf(t.control(await readNumber(t, as, id), "reading a number")));

export const readNumber = (t: CheckContext, as: Credential, id: string): Promise<Exchange> =>
  t.call("getPhoneNumber", { path: { id } }, as);

export const releaseNumber = (t: CheckContext, as: Credential, id: string): Promise<Exchange> =>
  t.call("releasePhoneNumber", { path: { id } }, as);

export const updateNumber = (t: CheckContext, as: Credential, id: string, body: unknown): Promise<Exchange> =>
  t.call("updatePhoneNumber", { path: { id }, body }, as);

/** The fields of an update that the server accepts, each by itself: the document does not show which values it takes. */
export async function acceptedFields(
  t: CheckContext,
  as: Credential,
  id: string,
  fields: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const accepted: (readonly [string, string])[] = [];
  for (const [name, value] of Object.entries(fields))
    if (isSuccess(await updateNumber(t, as, id, { [name]: value }))) accepted.push([name, value]);
  return Object.fromEntries(accepted);
}

/** Blocks where an answer is none of the operation's doing: there is no money, or the key may not. */
function permitted(
  exchange: Exchange,
  operation: "searchPhoneNumbers" | "orderPhoneNumbers" | "bulkOrderPhoneNumbers",
): Exchange {
  const what = `${operation} was answered ${summaryOf(exchange)}`;
  if (answeredBy(exchange, "InsufficientCredit"))
    throw new Blocked(what, "give the organization of the key some credit: its wallet does not cover the call");
  if (answeredBy(exchange, "Forbidden"))
    throw new Blocked(what, `give the kit a key that holds ${operations[operation].scope}`);
  return exchange;
}
