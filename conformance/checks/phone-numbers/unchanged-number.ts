import { isDeepStrictEqual } from "node:util";
import type { ErrorRowName } from "../../../generated/error-rows.ts";
import type { RuleId } from "../../../generated/rules.ts";
import { organizationState } from "../../arrangements/organization-state.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, errorOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { refusesBody } from "../../steps/body-refusals.ts";
import { type EffectOf, leftAsItWas } from "../../steps/effect-of.ts";
import { shownNumber } from "../../steps/phone-number.ts";
import { eventuallyByClock } from "../../steps/settle.ts";

/**
 * Decides that a call for a number is refused with one of these error definitions, and that the number stays as it was.
 * Only a refusal of the body may have details. If the kit can read the organization's state, that stays as well.
 */
export async function refusedUnchanged<Rule extends RuleId>(
  t: CheckContext<Rule>,
  rule: Rule,
  effectOf: EffectOf,
  {
    as,
    id,
    rows,
  }: { readonly as: Credential; readonly id: string; readonly rows: () => Promise<readonly ErrorRowName[]> },
  call: () => Promise<Exchange>,
): Promise<void> {
  const { tenant } = as;
  const before = await shownNumber(t, as, id);
  let exchange: Exchange;
  if (tenant.can(organizationState)) {
    const effect = await effectOf(tenant, call);
    exchange = effect.exchange;
    leftAsItWas(t, rule, effect, exchange);
  } else exchange = await call();
  t.refused(rule, exchange, ...(await rows()));
  // A refusal of the body names the property in its details.
  if (!refusesBody(exchange)) t.equal(rule, "error.details", errorOf(exchange)?.details, undefined, exchange);
  await unchanged(t, rule, { as, id, before }, exchange);
}

/** Decides that a number is as it was: what was done to it earlier may show a little later. */
export async function unchanged<Rule extends RuleId>(
  t: CheckContext<Rule>,
  rule: Rule,
  number: { readonly as: Credential; readonly id: string; readonly before: Readonly<Record<string, unknown>> },
  ...exchanges: readonly Exchange[]
): Promise<void> {
  const { as, id, before } = number;
  let after = await shownNumber(t, as, id);
  if (!isDeepStrictEqual(after, before))
    await eventuallyByClock(t, as.tenant, "earlier changes of a number", async () => {
      after = await shownNumber(t, as, id);
      return isDeepStrictEqual(after, before) ? true : null;
    });
  t.equal(rule, "the number", after, before, ...exchanges);
}
