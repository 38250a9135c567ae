import { check, sharedStock } from "../../context/check.ts";
import { type Exchange, summaryOf } from "../../exchange/exchange.ts";
import { noNumbers } from "../../steps/consent.ts";
import { isRefused } from "../../steps/endpoint.ts";
import { areaWithNumbers, callBulkOrder, callOrder, metBulkOrder, orderNumbers } from "../../steps/phone-number.ts";

/** Orders that mean nothing. */
export const refusedOrders = check({
  id: "phone-numbers.refused-orders",
  title: "Orders of nothing, and of what is no phone number, are refused",
  rules: ["NUM-43"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const areaCode = await areaWithNumbers(t, main);
    await orderNumbers(t, main);
    metBulkOrder(t, await callBulkOrder(t, main, { areaCode, quantity: 1 }));
    const wrong: readonly (readonly [what: string, order: () => Promise<Exchange>])[] = [
      ["no numbers", () => callOrder(t, main, [])],
      ...noNumbers.map((text) => [`the number ${JSON.stringify(text)}`, () => callOrder(t, main, [text])] as const),
      ...[0, -1].map(
        (quantity) => [`${quantity} numbers of an area`, () => callBulkOrder(t, main, { areaCode, quantity })] as const,
      ),
    ];
    for (const [what, order] of wrong) {
      const exchange = await order();
      t.verify("NUM-43", isRefused(exchange), {
        expected: `a refusal of an order of ${what}`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
    }
  },
});
