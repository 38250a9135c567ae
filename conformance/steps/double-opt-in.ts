import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Credential } from "../provision/tenant.ts";

/** Longer than anybody waits for an answer, in seconds. */
export const longestAnswer = 90 * 86_400;

/** Says yes, and nothing that an older text could have asked for. */
export const confirmation = "YES";

/** The body of a double opt-in, written as the target wants it. */
export const doubleOptInBody = (t: CheckContext, number: string = t.numbers("silent")[0]): unknown =>
  t.shapeRequest("requestDoubleOptIn", { phone_number: number, source: "conformance kit" });

/** Has a recipient asked, once more where a limit makes it wait, whatever the answer. */
export const callDoubleOptIn = (t: CheckContext, as: Credential, number?: string): Promise<Exchange> =>
  t.call("requestDoubleOptIn", { body: doubleOptInBody(t, number) }, as);

/** Has a recipient asked: a set-up step, which blocks when it is refused. */
export const askRecipient = async (t: CheckContext, as: Credential, number?: string): Promise<Exchange> =>
  t.control(await callDoubleOptIn(t, as, number), `asking ${number} by double opt-in`);
