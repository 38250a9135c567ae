import { operations } from "../../generated/operations.ts";
import type { CheckContext } from "../context/context.ts";
import { dataOf, type Exchange, isSuccess, objectOf, summaryOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import { answeredBy } from "./answered-by.ts";
import { refusesBody } from "./body-refusals.ts";
import { untilAtRest } from "./effect-of.ts";
import { balanceOf } from "./lookup.ts";
import { eventually } from "./settle.ts";
import { isToBeDone } from "./to-be-done.ts";

/** Millionths of a dollar, in which the kit reads wallets, in a cent. */
export const microsInCent = 10_000;

/** What a wallet can be topped up by. */
export interface Product {
  readonly id: string;
  readonly cents: number;
}

/** The products that the target lists, the smallest first; at least one. Blocks where the kit cannot read them. */
export async function productsOf(t: CheckContext, as: Credential): Promise<readonly [Product, ...Product[]]> {
  const exchange = await t.call("listTopUpProducts", {}, as);
  if (answeredBy(exchange, "Forbidden"))
    throw new Blocked(
      "the top-up products could not be read",
      `give the kit a key that holds ${operations.listTopUpProducts.scope}`,
    );
  const [first, ...others] = listedIn(t, t.control(exchange, "reading top-up products"));
  if (first !== undefined) return [first, ...others];
  throw new Blocked(
    "the kit finds no top-up products",
    "say where they stand, with their ids and amounts: shapes of listTopUpProducts in the target file",
  );
}

/** The products of an answer that the kit can read, the smallest first. */
function listedIn(t: CheckContext, exchange: Exchange): readonly Product[] {
  const listed: unknown = objectOf(t.shapeResponse("listTopUpProducts", dataOf(exchange)))?.products;
  return (Array.isArray(listed) ? listed : [])
    .map((one) => ({ id: Object(one).id, cents: Object(one).amount_cents }))
    .filter(isProduct)
    .toSorted((one, other) => one.cents - other.cents);
}

const isProduct = (one: { readonly id: unknown; readonly cents: unknown }): one is Product =>
  typeof one.id === "string" && one.id !== "" && Number.isSafeInteger(one.cents) && Number(one.cents) > 0;

/** A product as a caller can name it. */
interface ProductFor {
  readonly product: Product;
  /** Whether the target lists it to that caller: what it does not list may be no product for them. */
  readonly isListed: boolean;
}

/** What the target lists to a caller with the amount of that product, since a plan may have its own; else the product. */
export async function productFor(t: CheckContext, as: Credential, product: Product): Promise<ProductFor> {
  const exchange = await t.call("listTopUpProducts", {}, as);
  const like = isSuccess(exchange) ? listedIn(t, exchange).find(({ cents }) => cents === product.cents) : undefined;
  return { product: like ?? product, isListed: like !== undefined };
}

/** Tops a wallet up once, whatever the answer. */
export const callTopUp = (t: CheckContext, as: Credential, product: string): Promise<Exchange> =>
  t.call("topUpWallet", { body: t.shapeRequest("topUpWallet", { product_id: product }) }, as);

/** Tops a wallet up: a set-up step, or a control request. Blocks when that is refused. */
export async function topUp(t: CheckContext, as: Credential, { id }: Product): Promise<Exchange> {
  return t.control(await callTopUp(t, as, id), "a top-up");
}

/**
 * Blocks if a top-up that credited nothing names a page on which somebody has to pay: the kit pays nowhere. A URL says
 * nothing once the wallet was credited: a response may have links of all sorts.
 */
export function unlessPaidElsewhere(exchange: Exchange): void {
  const address = addressIn(dataOf(exchange));
  if (address === null) return;
  throw new Blocked(
    `a top-up leads to ${address}, where it is to be paid`,
    "have the target take what an organization for tests tops up as paid",
  );
}

/** Blocks if a top-up that credited nothing shows that it is not paid yet. */
export function unlessUnpaid(exchange: Exchange): void {
  unlessPaidElsewhere(exchange);
  const says = JSON.stringify(dataOf(exchange)) ?? "";
  if (!isToBeDone(exchange) && !/pending|processing|requires|unpaid|secret/i.test(says)) return;
  throw new Blocked(
    `a top-up was answered ${summaryOf(exchange)}, and brought nothing in time`,
    "have the target take what an organization for tests tops up as paid",
  );
}

/** An address on the web anywhere in a value; null where there is none. */
function addressIn(value: unknown): string | null {
  if (typeof value === "string") return /^https?:\/\//i.test(value) ? value : null;
  if (typeof value !== "object" || value === null) return null;
  return (
    Object.values(value)
      .map(addressIn)
      .find((found) => found !== null) ?? null
  );
}

/** A balance below which a wallet may well top itself up, in US cents. */
export const usualThreshold = 500;

/** How auto top-up is to be. */
export interface AutoTopUpWish {
  readonly product: Product;
  /** US cents. */
  readonly threshold: number;
}

const autoTopUpBody = (t: CheckContext, wish: AutoTopUpWish | null): unknown =>
  t.shapeRequest(
    "setAutoTopUp",
    wish === null
      ? { enabled: false }
      : { enabled: true, product_id: wish.product.id, threshold_cents: wish.threshold },
  );

/** The input with which auto top-up is enabled. */
export const enablingInput = (t: CheckContext, wish: AutoTopUpWish) => ({ body: autoTopUpBody(t, wish) });

/** Enables auto top-up, or disables it where nothing is wished, whatever the answer. */
export const callAutoTopUp = (t: CheckContext, as: Credential, wish: AutoTopUpWish | null): Promise<Exchange> =>
  t.call("setAutoTopUp", { body: autoTopUpBody(t, wish) }, as);

/** Blocks where a target does not read what the kit sends: how auto top-up is set is not shown. */
export function understoodTopUp(exchange: Exchange): Exchange {
  if (answeredBy(exchange, "NoBillingCustomer"))
    throw new Blocked(
      `to enable auto top-up was answered ${summaryOf(exchange)}`,
      "have the organization pay once: it has nothing to pay by",
    );
  if (!isInvalid(exchange)) return exchange;
  throw new Blocked(
    `to enable auto top-up was answered ${summaryOf(exchange)}`,
    "say how it is asked for: shapes in the target file",
  );
}

const isInvalid = (exchange: Exchange): boolean => refusesBody(exchange) || answeredBy(exchange, "NotFound");

/** Whether auto top-up is disabled once a call that was to disable it was answered so. */
export const isDisabled = (disabling: Exchange): boolean => isSuccess(disabling) || answeredBy(disabling, "Conflict");

/**
 * Blocks where auto top-up is enabled already, and not by the kit: a target may lawfully have it enabled from the beginning,
 * and have no way to disable it that the kit knows.
 */
export function unlessOn(enabling: Exchange, disabling: readonly Exchange[]): Exchange {
  const failed = disabling.find((exchange) => !isDisabled(exchange));
  if (failed === undefined || !answeredBy(enabling, "Conflict")) return enabling;
  throw new Blocked(
    `auto top-up is enabled, and to disable it was answered ${summaryOf(failed)}`,
    "say how it is disabled: shapes in the target file",
  );
}

/** Sees to it that auto top-up is disabled, which it may have been before. */
export const disableAutoTopUp = (t: CheckContext, as: Credential): Promise<Exchange> => callAutoTopUp(t, as, null);

export const openPortal = (t: CheckContext, as: Credential): Promise<Exchange> => t.call("openBillingPortal", {}, as);

/** Seconds by an organization's clock in which a payment for tests goes through. */
const paymentSeconds = 60;

/** Looks for what a top-up brings, which may take a moment, or a minute of the organization's time. Null when it brings nothing. */
export async function oncePaid<T>(t: CheckContext, tenant: Tenant, look: () => Promise<T | null>): Promise<T | null> {
  const found = await eventually(t, tenant, look);
  if (found !== null || !tenant.manualClock) return found;
  await tenant.advance(paymentSeconds, "the payment of a top-up");
  return eventually(t, tenant, look);
}

/** The balance once it is as wanted, which may take as long as a payment does, or what it is in the end. */
export async function balanceOncePaid(
  t: CheckContext,
  tenant: Tenant,
  isWanted: (balance: number) => boolean,
): Promise<number> {
  const wanted = await oncePaid(t, tenant, async () => {
    const balance = await balanceOf(tenant);
    return isWanted(balance) ? balance : null;
  });
  return wanted ?? balanceOf(tenant);
}

/** The balance when whatever is paid has been paid: it is waited for without knowing whether something comes. */
export async function settledBalance(t: CheckContext, tenant: Tenant): Promise<number> {
  if (tenant.manualClock) await tenant.advance(paymentSeconds, "the payment of a top-up");
  await untilAtRest(t, tenant);
  return balanceOf(tenant);
}

/** Has an organization be one that has paid: where it has not, it tops up. Blocks where that is refused, or brings nothing. */
export async function havePaid(t: CheckContext, as: Credential): Promise<void> {
  const isCustomer = async (): Promise<true | null> =>
    answeredBy(await openPortal(t, as), "NoBillingCustomer") ? null : true;
  if ((await isCustomer()) === true) return;
  const [smallest] = await productsOf(t, as);
  const exchange = await topUp(t, as, smallest);
  if ((await oncePaid(t, as.tenant, isCustomer)) === null) unlessUnpaid(exchange);
}

/** What a top-up adds to the wallet once it is there, in millionths of a dollar; nothing where nothing comes in time. */
export async function addedBy(t: CheckContext, as: Credential, call: () => Promise<Exchange>) {
  const before = await balanceOf(as.tenant);
  const exchange = await call();
  if (isSuccess(exchange)) await creditedBy(t, as.tenant, [exchange], (balance) => balance > before, before);
  return { exchange, added: (await balanceOf(as.tenant)) - before, summary: summaryOf(exchange) };
}

/**
 * The balance after successful top-ups, once it is as wanted, or what it is in the end. Blocks if nothing was credited
 * since it was `before`, and a top-up names a page on which it is to be paid.
 */
export async function creditedBy(
  t: CheckContext,
  tenant: Tenant,
  topUps: readonly Exchange[],
  isWanted: (balance: number) => boolean,
  before: number,
): Promise<number> {
  const after = await balanceOncePaid(t, tenant, isWanted);
  if (after <= before) for (const exchange of topUps) unlessPaidElsewhere(exchange);
  return after;
}
