import type { RuleId } from "../../../generated/rules.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import type { Tenant } from "../../provision/tenant.ts";
import { atWait, isThrottled, retryAfterOf } from "../../steps/throttle.ts";

/** What came before the wait. */
export interface BeforeWait {
  /** The refusal that says how long to wait. */
  readonly beyond: Exchange;
  readonly tenant: Tenant;
  /** The bucket was full for sure when the burst began, and nobody else draws from it. */
  readonly full: boolean;
}

/** Seconds: more than one, and nearer to the whole number below than to that above. */
const moment = 1.4;

/** What a call is answered, and where it is still refused for the limit, a second later: whole seconds may have been rounded down. */
export async function orSecondLater(
  tenant: Tenant,
  call: () => Promise<Exchange>,
): Promise<readonly [first: Exchange, second: Exchange | null]> {
  const first = await call();
  if (!isThrottled(first)) return [first, null];
  await tenant.advance(1, "a second more than Retry-After");
  return [first, await call()];
}

/** Decides whether a call is admitted again after the seconds of `Retry-After`, or one more. */
export async function admittedAfterWait(
  t: CheckContext,
  rule: RuleId,
  call: () => Promise<Exchange>,
  { beyond, tenant, full }: BeforeWait,
): Promise<void> {
  const wait = retryAfterOf(beyond);
  let isDone = false;
  // The refusal whose seconds have passed in the end.
  let told = beyond;
  // More than a second early an admission means that Retry-After asks for too much; only a standing clock can tell.
  if (tenant.manualClock && wait > 2) {
    await tenant.advance(wait - moment, "a moment before Retry-After has passed");
    const early = await call();
    t.verify(rule, !isSuccess(early), {
      expected: `a refusal ${moment} s before the ${wait} s of Retry-After have passed`,
      actual: summaryOf(early),
      exchanges: [beyond, early],
      at: atWait(beyond, `no more than ${Math.floor(wait - moment)}`),
      warnOnly: true,
    });
    isDone = isSuccess(early);
    // The early call may have drawn, so its own Retry-After counts from here: of a wait that is no whole number of seconds.
    told = isSuccess(early) ? beyond : early;
    await tenant.advance(retryAfterOf(told), "what is left of Retry-After");
  } else {
    await tenant.advance(wait, "what Retry-After asks for");
  }
  const [first, second] = await orSecondLater(tenant, call);
  if (second === null && !isDone) return void t.accepted(rule, first);
  const admitted = { expected: `a call admitted after the ${wait} s of Retry-After`, actual: summaryOf(first) };
  // What was done early may be refused for being done, which is no refusal for the limit.
  if (second === null) return void t.verify(rule, true, { ...admitted, exchanges: [beyond, first] });
  t.verify(rule, false, {
    ...admitted,
    actual: `${summaryOf(first)}, and a second later ${summaryOf(second)}`,
    exchanges: told === beyond ? [beyond, first, second] : [beyond, told, first, second],
    ...(isSuccess(second) ? { at: atWait(told, String(retryAfterOf(told) + 1)) } : {}),
    // Others may have drawn meanwhile.
    warnOnly: !full || isSuccess(second),
  });
}
