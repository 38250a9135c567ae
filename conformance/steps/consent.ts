import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import { organizationTime } from "./organization-time.ts";

/** Numbers that nobody has, for use in fiction: of recipients that no other check looks up. */
export const recipients = ["+12025550130", "+12025550131", "+12025550132", "+14165550133"] as const;

/** Such numbers of recipients who reply: what one of them takes back, capturing a consent may not restore. */
export const repliers = ["+12025550137", "+12025550138"] as const;

/** Such numbers whose consent no check captures. */
export const strangers = ["+12025550134", "+12025550135", "+14165550136"] as const;

/**
 * The body of a consent that was given just now, written as the target wants it: not ahead by the target's clock, which
 * would count for more than a reply that comes after it.
 */
export const consentBody = async (t: CheckContext, tenant: Tenant, number: string = recipients[0]): Promise<unknown> =>
  t.shapeRequest("captureConsent", {
    phone_number: number,
    source: "conformance kit",
    captured_at: new Date(
      (await organizationTime(tenant)) - (tenant.manualClock ? 0 : t.timing.clockSkew),
    ).toISOString(),
  });

/** Records a consent, once more where a limit makes it wait, whatever the answer. */
export const captureConsent = async (t: CheckContext, as: Credential, number?: string): Promise<Exchange> =>
  t.call("captureConsent", { body: await consentBody(t, as.tenant, number) }, as);

/** Records a consent once, whatever the answer. */
export const attemptConsent = async (t: CheckContext, as: Credential, number?: string): Promise<Exchange> =>
  t.attempt("captureConsent", { body: await consentBody(t, as.tenant, number) }, as);
