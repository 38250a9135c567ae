import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import { organizationTime } from "./organization-time.ts";

/** Numbers that nobody has, for use in fiction: of recipients that no other check looks up. */
export const recipients = ["+12025550130", "+12025550131", "+12025550132", "+14165550133"] as const;

/** Such numbers of recipients who reply: what one of them takes back, capturing a consent may not restore. */
export const repliers = ["+12025550137", "+12025550138"] as const;

/** Such numbers of recipients who opt out while messages wait for them; none of them opts in again. */
export const leaving = ["+12025550157", "+12025550158", "+14165550159", "+12025550175"] as const;

/** Such numbers whose consent no check captures. */
export const strangers = ["+12025550134", "+12025550135", "+14165550136"] as const;

/** Such numbers of recipients whose consents are captured together, and one more of those whose batch is refused. */
export const batched = ["+12025550160", "+12025550161", "+12025550162", "+14165550163"] as const;
export const inRefusedBatch = ["+12025550164", "+12025550165", "+12025550166", "+14165550167", "+12025550168"] as const;

/** Texts that are no phone number in any form. */
export const noNumbers = ["nobody", "", "+"] as const;

/**
 * The body of a consent that was given just now, written as the target wants it: not ahead by the target's clock, which
 * would count for more than a reply that comes after it.
 */
export const consentBody = async (t: CheckContext, tenant: Tenant, number: string = recipients[0]): Promise<unknown> =>
  consentOf(t, number, await justNow(t, tenant));

/** The body of such consents together: the batch in the target's shape of a batch, each record in that of a consent. */
export async function batchBody(t: CheckContext, tenant: Tenant, numbers: readonly string[]): Promise<unknown> {
  const at = await justNow(t, tenant);
  return t.shapeRequest("captureConsentBatch", { records: numbers.map((number) => consentOf(t, number, at)) });
}

const consentOf = (t: CheckContext, phone_number: string, captured_at: string): unknown =>
  t.shapeRequest("captureConsent", { phone_number, source: "conformance kit", captured_at });

const justNow = async (t: CheckContext, tenant: Tenant): Promise<string> =>
  new Date((await organizationTime(tenant)) - (tenant.manualClock ? 0 : t.timing.clockSkew)).toISOString();

/** Records consents together, once more where a limit makes it wait, whatever the answer. */
export const captureBatch = async (t: CheckContext, as: Credential, numbers: readonly string[]): Promise<Exchange> =>
  t.call("captureConsentBatch", { body: await batchBody(t, as.tenant, numbers) }, as);

/** Records consents together once, whatever the answer. */
export const attemptBatch = async (t: CheckContext, as: Credential, numbers: readonly string[]): Promise<Exchange> =>
  t.attempt("captureConsentBatch", { body: await batchBody(t, as.tenant, numbers) }, as);

/** Records a consent, once more where a limit makes it wait, whatever the answer. */
export const captureConsent = async (t: CheckContext, as: Credential, number?: string): Promise<Exchange> =>
  t.call("captureConsent", { body: await consentBody(t, as.tenant, number) }, as);

/** Records a consent once, whatever the answer. */
export const attemptConsent = async (t: CheckContext, as: Credential, number?: string): Promise<Exchange> =>
  t.attempt("captureConsent", { body: await consentBody(t, as.tenant, number) }, as);
