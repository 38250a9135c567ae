import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Credential } from "../provision/tenant.ts";

/** The body of a hosted form, written as the target wants it. */
export const hostedFormBody = (t: CheckContext, number: string = t.numbers("forms")[0]): unknown =>
  t.shapeRequest("createHostedForm", {
    phone_number: number,
    source: "conformance kit",
    sender_name: "Conformance Kit",
  });

/** Has a form made, once more where a limit makes it wait, whatever the answer. */
export const callHostedForm = (t: CheckContext, as: Credential, number?: string): Promise<Exchange> =>
  t.call("createHostedForm", { body: hostedFormBody(t, number) }, as);
