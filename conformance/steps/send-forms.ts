import { randomUUID } from "node:crypto";
import { signedInUser } from "../arrangements/signed-in-user.ts";
import { userOf } from "../context/caller-of.ts";
import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import { answeredBy } from "./answered-by.ts";
import { refusesBody } from "./body-refusals.ts";
import { byDay, callSend, type SendWish, timeAhead } from "./message.ts";

/** A way to ask for a send, whose recipient is the same in all of them. */
interface SendForm {
  readonly what: string;
  readonly wish: Pick<SendWish, "scheduled_at" | "bypass_quiet_hours" | "key">;
}

/** What a send carries that is asked for at once, with an idempotency key, and for later: what one changes another may not. */
export const sendWays = async (tenant: Tenant, seconds?: number): Promise<readonly SendForm["wish"][]> => [
  {},
  { key: randomUUID() },
  { scheduled_at: await timeAhead(tenant, seconds) },
];

/** A body of several parts, each of which is a charge. How long one may be is open, so that it may be refused. */
export const longBody = "Your table is ready, and so are we. ".repeat(12);

export interface SentInForm {
  readonly what: string;
  readonly exchange: Exchange;
}

/** Whether the caller is not one to call this: which operations users may call but their own is open. */
export const refusesCaller = (exchange: Exchange): boolean =>
  (["Unauthorized", "Forbidden", "UserRequired"] as const).some((row) => answeredBy(exchange, row));

/** Calls that `attemptForms` makes. */
export const formCount = 6;

/**
 * Asks for a send to a recipient at once, again, with an idempotency key, for later, with a bypass of quiet hours, and as
 * a signed-in user. What is refused for its form, as no time that far ahead or a bypass by who may not, is left out: which
 * gate comes first is open.
 */
export async function attemptForms(t: CheckContext, as: Credential, to: string): Promise<readonly SentInForm[]> {
  const forms: readonly SendForm[] = [
    { what: "a send at once", wish: {} },
    { what: "the same send again", wish: {} },
    { what: "a send with an idempotency key", wish: { key: randomUUID() } },
    { what: "a send for later", wish: { scheduled_at: await timeAhead(as.tenant) } },
    { what: "a send with a bypass of quiet hours", wish: { bypass_quiet_hours: true } },
  ];
  const sent: SentInForm[] = [];
  // A user may send or not; who does is no other sender than a key.
  if (as.tenant.can(signedInUser)) {
    const user = await userOf(as.tenant);
    const exchange = await callSend(t, user, { to });
    if (!refusesCaller(exchange) && !answeredBy(exchange, "QuietHours"))
      sent.push({ what: "a send by a signed-in user", exchange });
  }
  for (const [index, { what, wish }] of forms.entries()) {
    const exchange = await callSend(t, as, { to, ...wish });
    if (index === 0) byDay(exchange);
    const isForItsForm =
      refusesBody(exchange) || answeredBy(exchange, "QuietHoursBypassForbidden") || answeredBy(exchange, "QuietHours");
    if (index === 0 || !isForItsForm) sent.push({ what, exchange });
  }
  return sent;
}
