import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Credential } from "../provision/tenant.ts";

/** A body that turns reseller mode on or off, written as the target wants it. */
export const resellerBody = (t: CheckContext, is_reseller: boolean): unknown =>
  t.shapeRequest("updateOrganization", { is_reseller });

/** Turns reseller mode on or off, whatever the answer. */
export const callReseller = (t: CheckContext, as: Credential, on: boolean): Promise<Exchange> =>
  t.call("updateOrganization", { body: resellerBody(t, on) }, as);
