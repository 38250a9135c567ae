import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Credential } from "../provision/tenant.ts";

/** Numbers that nobody has, for use in fiction: of recipients who are asked and never answer, or capture anything. */
export const silentRecipients = ["+12125550140", "+12125550141", "+14165550142"] as const;

/** Such numbers of recipients who answer, in organizations that are used for nothing else. */
export const answeringRecipients = ["+12125550143", "+12125550144", "+14165550145"] as const;

/** Longer than anybody waits for an answer, in seconds. */
export const longestAnswer = 90 * 86_400;

/** The body of a double opt-in, written as the target wants it. */
export const doubleOptInBody = (t: CheckContext, number: string = silentRecipients[0]): unknown =>
  t.shapeRequest("requestDoubleOptIn", { phone_number: number, source: "conformance kit" });

/** Has a recipient asked, once more where a limit makes it wait, whatever the answer. */
export const callDoubleOptIn = (t: CheckContext, as: Credential, number?: string): Promise<Exchange> =>
  t.call("requestDoubleOptIn", { body: doubleOptInBody(t, number) }, as);

/** Has a recipient asked: a set-up step, which blocks when it is refused. */
export const askRecipient = async (t: CheckContext, as: Credential, number?: string): Promise<Exchange> =>
  t.control(await callDoubleOptIn(t, as, number), `asking ${number} by double opt-in`);
