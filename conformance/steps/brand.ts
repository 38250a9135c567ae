import { randomUUID } from "node:crypto";
import { constants } from "../../generated/constants.ts";
import { bounds } from "../../generated/limits.ts";
import { operations } from "../../generated/operations.ts";
import { brandVerification, type VerifiedBrand } from "../arrangements/brand-verification.ts";
import type { CheckContext } from "../context/context.ts";
import { dataOf, type Exchange, objectOf, summaryOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import { answeredBy } from "./answered-by.ts";
import { eventuallyByClock } from "./settle.ts";

/** Millionths of a US dollar in a cent. */
const microsInCent = 10_000;

/** What registering a brand costs, in millionths of a US dollar. */
export const brandPriceMicros = bounds.brandRegistrationCents * microsInCent;

/** A brand that was registered. */
export interface RegisteredBrand {
  readonly id: string;
  readonly exchange: Exchange;
}

/** The body of a registration, written as the target wants it. Two companies need not have one name. */
export const brandBody = (t: CheckContext, name = newBrandName()): unknown => t.shapeRequest("createBrand", { name });

export const newBrandName = (): string => `Conformance Kit Bakery ${randomUUID().slice(0, 8)}`;

/** Registers a brand, whatever the answer. */
export const callBrand = (t: CheckContext, as: Credential, name?: string): Promise<Exchange> =>
  t.call("createBrand", { body: brandBody(t, name) }, as);

/** Registers a brand: a set-up step, or the sound twin of one with a defect. Blocks when that is refused. */
export const registerBrand = async (t: CheckContext, as: Credential): Promise<RegisteredBrand> =>
  brandIn(t, unhindered(await callBrand(t, as)));

/** Blocks where the wallet does not cover a registration. */
export function coveredBrand(exchange: Exchange): Exchange {
  if (!answeredBy(exchange, "InsufficientCredit")) return exchange;
  throw new Blocked(
    `the registration of a brand was answered ${summaryOf(exchange)}`,
    "give the organization of the key some credit: its wallet does not cover the call",
  );
}

/** Blocks where a registration is refused for what the organization has, or lacks, already. */
export function unhindered(exchange: Exchange): Exchange {
  coveredBrand(exchange);
  const what = `the registration of a brand was answered ${summaryOf(exchange)}`;
  if (answeredBy(exchange, "ResellerRequired"))
    throw new Blocked(what, "give the kit a key of an organization in reseller mode, or a sandbox");
  if (answeredBy(exchange, "Forbidden"))
    throw new Blocked(what, `give the kit a key that holds ${operations.createBrand.scope}`);
  return exchange;
}

/** The brand of an answer; blocks where it was refused or has no id. */
export function brandIn(t: CheckContext, exchange: Exchange): RegisteredBrand {
  const { id } = shownBrand(t, "createBrand", t.control(exchange, "registering a brand"));
  if (id !== null) return { id, exchange };
  throw new Blocked("the brand has no id", "say where the id stands: shapes in the target file", "server");
}

/** What an answer shows of a brand; null what it does not. */
export function shownBrand(t: CheckContext, operation: "createBrand" | "getBrand", exchange: Exchange) {
  const { id, identity_status } = objectOf(t.shapeResponse(operation, dataOf(exchange))) ?? {};
  const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
  return { id: text(id), status: text(identity_status) };
}

export const readBrand = (t: CheckContext, as: Credential, id: string): Promise<Exchange> =>
  t.call("getBrand", { path: { id } }, as);

/** Whether a brand with this identity status may have campaigns. */
export const isVerifiedStatus = (status: string): boolean =>
  status === constants.verifiedBrand || status === constants.vettedBrand;

/** Decides whether the answer to a registration shows a brand that is not verified yet, where it shows what it is. */
export function judgeUnverified(t: CheckContext<"BRD-06">, exchange: Exchange): void {
  const { status } = shownBrand(t, "createBrand", exchange);
  t.verify("BRD-06", status === null || !isVerifiedStatus(status), {
    expected: "an identity status of a brand that is not verified",
    actual: status ?? "one when it is read",
    exchanges: [exchange],
  });
}

/** The identity status of a brand; blocks where it is not shown. */
export async function statusOfBrand(t: CheckContext, as: Credential, id: string): Promise<string> {
  const { status } = shownBrand(t, "getBrand", t.control(await readBrand(t, as, id), "reading a brand"));
  if (status !== null) return status;
  throw new Blocked(
    "a brand shows no identity status",
    "say where its identity status stands: shapes in the target file",
    "server",
  );
}

/** Has the verification of a brand come to this; blocks where it does not show. */
export async function concludeBrand(
  t: CheckContext,
  as: Credential,
  id: string,
  verdict: VerifiedBrand["verdict"],
): Promise<void> {
  const isThere = (status: string): boolean => (verdict === "failed" ? !isVerifiedStatus(status) : status === verdict);
  await as.tenant.arrange(brandVerification, { brand_id: id, verdict });
  const shown = await eventuallyByClock(t, as.tenant, "the verification of a brand", async () =>
    isThere(await statusOfBrand(t, as, id)) ? true : null,
  );
  if (shown !== null) return;
  const what = `a brand has the identity status ${await statusOfBrand(t, as, id)} after its verification was arranged`;
  throw new Blocked(what, "see whether verify_brand, or the sandbox, does what it is asked");
}

/** Registers a brand whose verification has come to this. */
export async function concludedBrand(
  t: CheckContext,
  as: Credential,
  verdict: VerifiedBrand["verdict"],
): Promise<RegisteredBrand> {
  const brand = await registerBrand(t, as);
  await concludeBrand(t, as, brand.id, verdict);
  return brand;
}
