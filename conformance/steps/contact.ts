import { operations } from "../../generated/operations.ts";
import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import { answeredBy } from "./answered-by.ts";
import { optIn } from "./message.ts";

/** Numbers that nobody has, for use in fiction, of contacts who are erased; no check but those on erasing has them. */
export const erased = ["+12025550170", "+12025550171", "+14165550172"] as const;

/** The same for contacts who reply, and for the one who stays. */
export const erasedReplier = "+12025550173";
export const neverErased = "+12025550174";

/** The same for contacts who are erased while messages wait for them. */
export const erasedWaiting = ["+12025550176", "+14165550177"] as const;

/** Erases a contact once, whatever the answer. */
export const attemptErase = (t: CheckContext, as: Credential, number: string): Promise<Exchange> =>
  t.attempt("eraseContact", { path: { contact_number: number } }, as);

/** Makes ready for erasures, each of somebody who has opted in before it, made once when asked for, whatever it is answered. */
export const attemptsToErase = async (t: CheckContext, as: Credential) => async (): Promise<Exchange> => {
  await optIn(t, as, erased[0]);
  return attemptErase(t, as, erased[0]);
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
