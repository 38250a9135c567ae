import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Credential } from "../provision/tenant.ts";

/** Numbers that nobody has, for use in fiction: of recipients whose form nobody submits, and who are not asked otherwise. */
export const formRecipients = ["+12125550146", "+14165550147"] as const;

/** The body of a hosted form, written as the target wants it. */
export const hostedFormBody = (t: CheckContext, number: string = formRecipients[0]): unknown =>
  t.shapeRequest("createHostedForm", {
    phone_number: number,
    source: "conformance kit",
    sender_name: "Conformance Kit",
  });

/** Has a form made, once more where a limit makes it wait, whatever the answer. */
export const callHostedForm = (t: CheckContext, as: Credential, number?: string): Promise<Exchange> =>
  t.call("createHostedForm", { body: hostedFormBody(t, number) }, as);
