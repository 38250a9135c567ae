import { check } from "../../context/check.ts";
import { type Exchange, errorOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import {
  callAutoTopUp,
  callTopUp,
  disableAutoTopUp,
  productFor,
  productsOf,
  usualThreshold,
} from "../../steps/billing.ts";
import { refusesBody } from "../../steps/body-refusals.ts";
import { judgeEach } from "../../steps/judge-each.ts";

/** Organizations that have no plan. */
export const withoutPlan = check({
  id: "billing.without-plan",
  title: "Without a plan a top-up is not found and auto top-up has to be paid for; with one neither is so",
  rules: ["BIL-04", "BIL-05", "BIL-10", "BIL-30", "BIL-96"],
  kind: "scenario",
  needs: ["no-plan"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const usual = await (await t.tenant()).main();
    const products = await productsOf(t, usual);
    const unlisted: Exchange[] = [];
    const planless = await (await t.otherTenant({ no_plan: true })).main();
    await judgeEach(products, async (product) => {
      await disableAutoTopUp(t, usual);
      const sound = [
        { exchange: await callTopUp(t, usual, product.id), row: "NoPlanForTopUp" },
        { exchange: await callAutoTopUp(t, usual, { product, threshold: usualThreshold }), row: "NoPlan" },
      ] as const;
      for (const { exchange, row } of sound) {
        t.verify("BIL-30", !answeredBy(exchange, "NoPlan") && !answeredBy(exchange, "NoPlanForTopUp"), {
          expected: `anything but ${row}: the organization has a plan`,
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
        t.control(exchange, `paying by ${product.cents} cents with a plan`);
      }
      const { product: theirs, isListed } = await productFor(t, planless, product);
      const topUp = await callTopUp(t, planless, theirs.id);
      const auto = await callAutoTopUp(t, planless, { product: theirs, threshold: usualThreshold });
      for (const { rule, exchange, row } of [
        { rule: "BIL-05", exchange: topUp, row: "NoPlanForTopUp" },
        { rule: "BIL-04", exchange: auto, row: "NoPlan" },
      ] as const) {
        // What is not listed to who has no plan may be refused as no product of theirs.
        if (!isListed && (answeredBy(exchange, "NotFound") || refusesBody(exchange))) unlisted.push(exchange);
        else if (t.refused(rule, exchange, row))
          t.equal("BIL-10", "error.details", errorOf(exchange)?.details, undefined, exchange);
      }
    });
    // Who has one has just enabled it.
    t.control(await disableAutoTopUp(t, usual), "disabling auto top-up with a plan");
    t.refused("BIL-96", await disableAutoTopUp(t, planless), "NoPlan", "Conflict");
    if (unlisted.length > 0)
      throw new Blocked(
        `who has no plan is listed no product, and was answered ${unlisted.slice(0, 1).map(summaryOf)}`,
        "have the target list products to organizations without a plan",
      );
  },
});
