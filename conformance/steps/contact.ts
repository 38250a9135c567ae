import { operations } from "../../generated/operations.ts";
import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import { answeredBy } from "./answered-by.ts";
import { optIn } from "./message.ts";

/** Erases a contact once, whatever the answer. */
export const attemptErase = (t: CheckContext, as: Credential, number: string): Promise<Exchange> =>
  t.attempt("eraseContact", { path: { contact_number: number } }, as);

/** Makes ready for erasures, each of somebody who has opted in before it, made once when asked for, whatever it is answered. */
export const attemptsToErase =
  async (t: CheckContext, as: Credential) =>
  async (index = 0): Promise<Exchange> => {
    const [one, other] = t.numbers("erased");
    // Not of one contact alone, as they share the limit.
    const number = index % 2 === 0 ? one : other;
    await optIn(t, as, number);
    return attemptErase(t, as, number);
  };

/** Erases a contact, once more where a limit makes it wait: a set-up step. */
export async function erase(t: CheckContext, as: Credential, number: string): Promise<Exchange> {
  const exchange = await t.call("eraseContact", { path: { contact_number: number } }, as);
  if (answeredBy(exchange, "Forbidden"))
    throw new Blocked(
      "a contact could not be erased",
      `give the kit a key that holds ${operations.eraseContact.scope}`,
    );
  return t.control(exchange, `erasing ${number}`);
}
