import type { RuleId } from "../../../generated/rules.ts";
import { type Check, check } from "../../context/check.ts";
import { apiOperations } from "../../context/for-each-operation.ts";
import { summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { isThrottled, retryAfterOf } from "../../steps/throttle.ts";
import type { Refusable } from "../../steps/without-effect.ts";
import { orSecondLater } from "./admitted-after-wait.ts";

/**
 * A check that who was refused once is admitted after `Retry-After` without a call in between: whoever calls earlier is told
 * again how long to wait, so that a wait that is too short shows less. The clock has to stand still meanwhile.
 */
export function loneWait<Rule extends RuleId>(
  rule: Rule,
  { operation: id, needs, begin, ...others }: Refusable,
): Check<Rule> {
  const { method, path } = apiOperations.find((one) => one.id === id) ?? { method: "", path: id };
  return check({
    ...others,
    id: `limits.lone-wait.${id}`,
    title: `After Retry-After, and no call meanwhile, ${method} ${path} is admitted that was refused for the limit`,
    rules: [rule],
    kind: "scenario",
    needs: [...needs, "manual-clock"],
    async run(t) {
      const { tenant, send } = await begin(t);
      const beyond = await send();
      if (!isThrottled(beyond))
        throw new Blocked(
          `${id} beyond the limit was answered ${summaryOf(beyond)}`,
          "see the rule of this limit first",
          "server",
        );
      const wait = retryAfterOf(beyond);
      await tenant.advance(wait, "what Retry-After asks for");
      const [first, second] = await orSecondLater(tenant, send);
      t.verify(rule, !isThrottled(second ?? first), {
        expected: `a call admitted after the ${wait} s of Retry-After, or a second later, without another one meanwhile`,
        actual: `${summaryOf(first)}${second === null ? "" : `, and a second later ${summaryOf(second)}`}`,
        exchanges: second === null ? [beyond, first] : [beyond, first, second],
      });
    },
  });
}
