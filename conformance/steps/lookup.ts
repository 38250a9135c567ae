import { constants } from "../../generated/constants.ts";
import { operations } from "../../generated/operations.ts";
import type { CheckContext } from "../context/context.ts";
import { dataOf, type Exchange, isSuccess, objectOf, summaryOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import { answeredBy } from "./answered-by.ts";
import { eventuallyByClock, eventuallyInState, onceFound, settledState } from "./settle.ts";

/** What a caller asks for. */
export interface LookupWish {
  readonly number?: string;
  /** Makes the call another try of one before it with the same key. */
  readonly key?: string;
  /** The name of the key's header, as it is written. */
  readonly header?: string;
}

/** A lookup that was made. */
export interface MadeLookup {
  readonly id: string;
  /** Null while it is not known yet. */
  readonly lineType: string | null;
  readonly exchange: Exchange;
}

/** A number outside the United States and Canada. */
export const numberElsewhere = "+442071838750";

const { idempotencyHeader } = operations.createLookup;

/** Asks for a lookup once, whatever the answer; the body is written as the target wants it. */
export const callLookup = (
  t: CheckContext,
  as: Credential,
  { number = t.numbers("united_states")[0], key, header = idempotencyHeader }: LookupWish = {},
): Promise<Exchange> => {
  const body = t.shapeRequest("createLookup", { phone_number: number });
  return t.call("createLookup", { body, ...(key === undefined ? {} : { headers: { [header]: key } }) }, as);
};

/** Makes a lookup: a set-up step, or the sound twin of one with a defect. Blocks when that is refused. */
export async function makeLookup(t: CheckContext, as: Credential, wish: LookupWish = {}): Promise<MadeLookup> {
  return lookupIn(t, paid(await callLookup(t, as, wish)));
}

/** Blocks where an answer is none of the operation's doing: there is no money, or the platform failed. */
export function paid(exchange: Exchange): Exchange {
  const what = `a lookup was answered ${summaryOf(exchange)}`;
  if (answeredBy(exchange, "InsufficientCredit"))
    throw new Blocked(what, "give the organization of the key some credit: its wallet does not cover the call");
  if (answeredBy(exchange, "LookupFailed"))
    throw new Blocked(what, "see why the target's platform cannot complete lookups", "environment");
  if (answeredBy(exchange, "Forbidden"))
    throw new Blocked(what, `give the kit a key that holds ${operations.createLookup.scope}`);
  return exchange;
}

/** The lookup of an answer; blocks where it was refused or has no id. */
export function lookupIn(t: CheckContext, exchange: Exchange): MadeLookup {
  const { id, lineType } = shownIn(t, "createLookup", t.control(exchange, "making a lookup"));
  if (id !== null) return { id, lineType, exchange };
  const unblock = "see LKP-01 first, or say where the id stands: shapes in the target file";
  throw new Blocked("the lookup has no id", unblock, "server");
}

/** What an answer shows of a lookup; null what it does not. */
export function shownIn(t: CheckContext, operation: "createLookup" | "getLookup", exchange: Exchange) {
  const { id, line_type } = objectOf(t.shapeResponse(operation, dataOf(exchange))) ?? {};
  const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
  return { id: text(id), lineType: text(line_type) };
}

export const readLookup = (t: CheckContext, as: Credential, id: string): Promise<Exchange> =>
  t.call("getLookup", { path: { lookup_id: id } }, as);

/** What a read of a lookup is answered, once it is found: reads may lag behind what was made. */
export const foundLookup = (t: CheckContext, as: Credential, id: string): Promise<Exchange> =>
  onceFound(t, as.tenant, () => readLookup(t, as, id));

const { fixedLine, mobileLine, voipLine, voipFixedLine } = constants;
const namedTypes: ReadonlySet<string | null> = new Set([fixedLine, mobileLine, voipLine, voipFixedLine]);

/** Whether the document names a line type. Of another one nobody knows whether it is a type, or says that there is none yet. */
export const isNamedType = (type: string | null): boolean => namedTypes.has(type);

/** What else a check was shown as a line type for as long as one may take: it is not waited for again. */
const lastingTypes = new WeakMap<CheckContext, Set<string>>();

/**
 * The line type, which may lawfully come later than the answer, with a text in its place until then, and take the
 * organization's time. What is shown in the end where it is none that the document names; null where that is nothing.
 */
export async function lineTypeOf(t: CheckContext, as: Credential, lookup: MadeLookup): Promise<string | null> {
  const lasting = lastingTypes.get(t) ?? new Set<string>();
  lastingTypes.set(t, lasting);
  let last = lookup.lineType;
  const isFinal = (): boolean => last !== null && (isNamedType(last) || lasting.has(last));
  if (isFinal()) return last;
  await eventuallyByClock(t, as.tenant, "the line type of a lookup", async () => {
    const exchange = await readLookup(t, as, lookup.id);
    if (isSuccess(exchange)) last = shownIn(t, "getLookup", exchange).lineType ?? last;
    return isFinal() ? true : null;
  });
  if (last !== null) lasting.add(last);
  return last;
}

/** Millionths of a US dollar in an organization's wallet once what is due has happened. */
export const balanceOf = async (tenant: Tenant): Promise<number> => (await settledState(tenant)).wallet_micros;

/** The balance once it is as wanted, or what it is in the end: a charge or a refund may come after the answer. */
export async function balanceOnce(
  t: CheckContext,
  tenant: Tenant,
  isWanted: (balance: number) => boolean,
): Promise<number> {
  const wanted = await eventuallyInState(t, tenant, ({ wallet_micros: balance }) =>
    isWanted(balance) ? balance : null,
  );
  return wanted ?? balanceOf(tenant);
}

/** What a lookup costs, by making one; blocks where it costs nothing. */
export async function priceOf(t: CheckContext, as: Credential, wish: LookupWish = {}): Promise<number> {
  const before = await balanceOf(as.tenant);
  await makeLookup(t, as, wish);
  const price = before - (await balanceOnce(t, as.tenant, (balance) => balance < before));
  if (price <= 0) throw new Blocked("a lookup was charged nothing", "see LKP-05 first", "server");
  return price;
}
