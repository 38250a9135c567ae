import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Credential } from "../provision/tenant.ts";

/** Numbers that nobody has, for use in fiction: of recipients that no other check looks up. */
export const recipients = ["+12025550130", "+12025550131", "+12025550132", "+14165550133"] as const;

/** A consent's body, written as the target wants it. */
export const consentBody = (t: CheckContext, number: string = recipients[0]): unknown =>
  t.shapeRequest("captureConsent", {
    phone_number: number,
    source: "conformance kit",
    captured_at: new Date().toISOString(),
  });

/** Records a consent once, whatever the answer. */
export const attemptConsent = (t: CheckContext, as: Credential, number?: string): Promise<Exchange> =>
  t.attempt("captureConsent", { body: consentBody(t, number) }, as);
