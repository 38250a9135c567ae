import { check, sharedStock } from "../../context/check.ts";
import { summaryOf } from "../../exchange/exchange.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import { refusesBody } from "../../steps/body-refusals.ts";
import { availableNumbers, callOrder, metOrder, readNumber } from "../../steps/phone-number.ts";
import { onceFound } from "../../steps/settle.ts";

/** Numbers of one order: more than fit into a lot of ten, and no more than a search shows. */
const many = 15;

/** An order of many numbers, each of which is assigned. */
export const largeOrder = check({
  id: "phone-numbers.large-order",
  title: `Each number of an order of ${many} is the organization's`,
  rules: ["NUM-12"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["manual-clock"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const exchange = await callOrder(t, main, await availableNumbers(t, main, many));
    // How many an order may have is open.
    if (refusesBody(exchange))
      throw new NotApplicable(`an order of ${many} numbers was answered ${summaryOf(exchange)}`);
    for (const { id } of metOrder(t, exchange).numbers)
      t.accepted("NUM-12", await onceFound(t, main.tenant, () => readNumber(t, main, id)));
  },
});
