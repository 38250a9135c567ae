import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";

/** Longer than anybody waits for an answer, in seconds. */
export const longestAnswer = 90 * 86_400;

const day = 86_400;

/** Days, in seconds, as long in all: single ones as far as recipients are mostly given, then longer ones. */
const daysOfWaiting: readonly number[] = [
  ...Array.from({ length: 10 }, () => day),
  ...Array.from({ length: 20 }, () => 4 * day),
];

/**
 * Lets the time for an answer pass and looks on the way, since how long a server keeps what it shows is open: a feed that
 * is read at the end may tell of the last days alone. Null where nothing was found until then.
 */
export async function whileUnanswered<T>(tenant: Tenant, look: () => Promise<T | null>): Promise<T | null> {
  for (const seconds of daysOfWaiting) {
    await tenant.advance(seconds, "a double opt-in to expire");
    const found = await look();
    if (found !== null) return found;
  }
  return null;
}

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
