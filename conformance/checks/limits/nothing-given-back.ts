import { buckets } from "../../../generated/limits.ts";
import { type Check, check } from "../../context/check.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { blockUnlessThrottled } from "../../steps/throttle.ts";
import { narrowCapacity as capacity, limitedCalls, narrowly } from "./limited-calls.ts";

/** More calls than what comes back of one that was refused could make room for. */
const further = 3;

/**
 * Calls that are refused for what they ask, each kind of them alone, from a bucket with room for one more: what such a call
 * drew may come back, and no more than that. Of several kinds one could use up what another one gives back.
 */
export const nothingGivenBack: readonly Check[] = limitedCalls.map((limited) => {
  const { id, noun, bucket, rule, ready } = limited;
  return check({
    id: `limits.nothing-given-back.${id}`,
    title: `What is refused for what it asks makes no room for further ${noun}, whatever it drew`,
    rules: [rule],
    kind: "scenario",
    needs: ["manual-clock", "limit-override"],
    effects: ["creates", "exhausts"],
    draws: {},
    async run(t) {
      const { periodSeconds } = buckets[bucket];
      const tenant = await t.tenant(narrowly(limited));
      const { call, refused } = await ready(t, await tenant.main());
      let judged = 0;
      for (const other of refused) {
        await tenant.advance(2 * periodSeconds + 1, "a full bucket");
        const made: Exchange[] = [];
        for (let count = 1; count < capacity; count += 1) made.push(await call(count));
        const early = made.find((exchange) => !isSuccess(exchange));
        if (early !== undefined)
          throw new Blocked(
            `one of ${capacity - 1} ${noun} from a full bucket was answered ${summaryOf(early)}`,
            "see the rules on this request first",
            "server",
          );
        const refusals = [await other(), await other()];
        // Whoever admits what it was asked for has no refusal to look at.
        if (refusals.some(isSuccess)) continue;
        for (let count = 0; count < further; count += 1) made.push(await call(count));
        for (const exchange of made) blockUnlessThrottled(isSuccess(exchange) ? null : exchange);
        const admitted = made.filter(isSuccess).length;
        t.verify(rule, admitted <= capacity, {
          expected: `no more than ${capacity} ${noun} admitted at one moment, with two calls between them that were answered ${refusals.map(summaryOf).join(" and ")}`,
          actual: `${admitted} admitted`,
          exchanges: [...refusals, ...made.slice(-further)],
        });
        judged += 1;
      }
      if (judged === 0)
        throw new Blocked("nothing that was to be refused was", "see the rules on this request", "server");
    },
  });
});
