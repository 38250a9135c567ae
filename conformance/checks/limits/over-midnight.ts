import { type Check, check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { blockUnlessThrottled, isThrottled, retryAfterOf } from "../../steps/throttle.ts";
import { narrowCapacity as capacity, limitedCalls, narrowly } from "./limited-calls.ts";

/** The last seconds of a day, a month and a year. */
const lastMoment = "2025-12-31T23:59:57.000Z";

/** Seconds. */
const day = 86_400;

/** Limits that are used up when a day ends: what was drawn counts for its period, and neither longer nor once more. */
export const overMidnight: readonly Check[] = limitedCalls.map((limited) => {
  const { id, noun, again, ready } = limited;
  return check({
    id: `limits.over-midnight.${id}`,
    title: `Who has used up the limit on ${noun} as a day, a month and a year end has room after Retry-After, and a day later`,
    rules: [again],
    kind: "scenario",
    needs: ["manual-clock", "limit-override", "chosen-time"],
    effects: ["creates", "exhausts"],
    draws: {},
    async run(t) {
      const tenant = await t.tenant({ ...narrowly(limited), starts_at: lastMoment });
      const { call } = await ready(t, await tenant.main());
      const beyond = await usedUp(call);
      const wait = retryAfterOf(beyond) + 1;
      await tenant.advance(wait, "what Retry-After asks for");
      judge(t, await call(0), `${wait} s after`, beyond);
      await tenant.advance(day - wait, "the same time of the next day");
      // What was drawn a day before is long forgotten, whatever the time of the day.
      for (let count = 1; count <= capacity; count += 1) judge(t, await call(count), "a day after", beyond);
    },
  });

  /** Decides that a call is admitted so long after one that was refused for the limit. */
  function judge(t: CheckContext, exchange: Exchange, when: string, beyond: Exchange): void {
    blockUnlessThrottled(isSuccess(exchange) ? null : exchange);
    t.verify(again, isSuccess(exchange), {
      expected: `a call admitted ${when} ${lastMoment}, when the limit was used up`,
      actual: summaryOf(exchange),
      exchanges: [beyond, exchange],
    });
  }

  /** Uses up a full bucket; gives the refusal behind that. */
  async function usedUp(call: (index: number) => Promise<Exchange>): Promise<Exchange> {
    for (let count = 0; count < capacity; count += 1) {
      const exchange = await call(count);
      if (!isSuccess(exchange)) throw strange(exchange, "within");
    }
    const beyond = await call(capacity);
    if (isThrottled(beyond)) return beyond;
    throw strange(beyond, "beyond");
  }

  function strange(exchange: Exchange, where: "within" | "beyond"): Blocked {
    return new Blocked(
      `one of the ${noun} ${where} the limit was answered ${summaryOf(exchange)}`,
      "see the rules on this limit first",
      "server",
    );
  }
});
