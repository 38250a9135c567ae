import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import { organizationTime } from "./organization-time.ts";

/** Texts that are no phone number in any form; of one with lines the first is a number that nobody has. */
export const noNumbers = ["nobody", "", "+", "+12025550199\nnobody"] as const;

/**
 * The body of a consent that was given just now, written as the target wants it: not ahead by the target's clock, which
 * would count for more than a reply that comes after it.
 */
export const consentBody = async (
  t: CheckContext,
  tenant: Tenant,
  number: string = t.numbers("recipients")[0],
  written: (at: string) => string = (at) => at,
): Promise<unknown> => t.shapeRequest("captureConsent", consentOf(number, written(await justNow(t, tenant))));

/** The body of such consents together, written as the target wants a batch. */
export async function batchBody(t: CheckContext, tenant: Tenant, numbers: readonly string[]): Promise<unknown> {
  const at = await justNow(t, tenant);
  return t.shapeRequest("captureConsentBatch", { records: numbers.map((number) => consentOf(number, at)) });
}

const consentOf = (phone_number: string, captured_at: string): unknown => ({
  phone_number,
  source: "conformance kit",
  captured_at,
});

const justNow = async (t: CheckContext, tenant: Tenant): Promise<string> =>
  new Date((await organizationTime(tenant)) - (tenant.manualClock ? 0 : t.timing.clockSkew)).toISOString();

/** Records consents together, once more where a limit makes it wait, whatever the answer. */
export const captureBatch = async (t: CheckContext, as: Credential, numbers: readonly string[]): Promise<Exchange> =>
  t.call("captureConsentBatch", { body: await batchBody(t, as.tenant, numbers) }, as);

/** Records consents together once, whatever the answer. */
export const attemptBatch = async (t: CheckContext, as: Credential, numbers: readonly string[]): Promise<Exchange> =>
  t.attempt("captureConsentBatch", { body: await batchBody(t, as.tenant, numbers) }, as);

/** Records a consent, once more where a limit makes it wait, whatever the answer; `written` is how its time is. */
export const captureConsent = async (
  t: CheckContext,
  as: Credential,
  number?: string,
  written?: (at: string) => string,
): Promise<Exchange> => t.call("captureConsent", { body: await consentBody(t, as.tenant, number, written) }, as);

/** Records a consent once, whatever the answer. */
export const attemptConsent = async (t: CheckContext, as: Credential, number?: string): Promise<Exchange> =>
  t.attempt("captureConsent", { body: await consentBody(t, as.tenant, number) }, as);
