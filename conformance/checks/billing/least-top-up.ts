import { check } from "../../context/check.ts";
import { type Exchange, errorOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import {
  callAutoTopUp,
  callTopUp,
  disableAutoTopUp,
  type Product,
  productFor,
  productsOf,
  unlessOn,
  usualThreshold,
} from "../../steps/billing.ts";
import { watchingEffects } from "../../steps/effect-of.ts";
import { isRefused } from "../../steps/endpoint.ts";

/** The two calls that pay by a product. */
const ways = [
  { rule: "BIL-01", what: "a top-up", pay: callTopUp },
  {
    rule: "BIL-02",
    what: "enabling auto top-up",
    pay: (...[t, as, product]: readonly [...Parameters<typeof callTopUp>]) =>
      callAutoTopUp(t, as, { product: { id: product, cents: 0 }, threshold: usualThreshold }),
  },
] as const;

/** The product in the middle, and those beside it where there are some. */
function aroundMiddle(products: readonly [Product, ...Product[]]) {
  const [smallest] = products;
  const middle = products[Math.floor(products.length / 2)] ?? smallest;
  return {
    middle,
    below: products.findLast(({ cents }) => cents < middle.cents) ?? null,
    above: products.find(({ cents }) => cents > middle.cents) ?? null,
  };
}

/** Plans with a least top-up, just at and just above the amount of a product. */
export const floor = check({
  id: "billing.least-top-up",
  title: "What is below the least top-up of the plan is refused, what is exactly that much is not",
  rules: ["BIL-01", "BIL-02", "BIL-10", "BIL-20", "BIL-22"],
  kind: "scenario",
  needs: ["least-top-up"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const free = await (await t.tenant({ min_topup_cents: null })).main();
    const products = await productsOf(t, free);
    const { middle, below, above } = aroundMiddle(products);
    const exact = await (await t.otherTenant({ min_topup_cents: middle.cents })).main();
    const higher = await (await t.otherTenant({ min_topup_cents: middle.cents + 1 })).main();
    for (const { rule, what, pay } of ways) {
      const disabled: Exchange[] = [];
      for (const as of [free, exact, higher]) disabled.push(await disableAutoTopUp(t, as));
      t.control(await pay(t, free, middle.id), `${what} under pay-as-you-go`);
      const tooLittle = [
        ...(below === null ? [] : [{ as: exact, product: below }]),
        { as: higher, product: middle },
        ...(below === null ? [] : [{ as: higher, product: below }]),
      ];
      for (const { as, product } of tooLittle) {
        const named = await productFor(t, as, product);
        const exchange = unlessOn(await pay(t, as, named.product.id), disabled);
        // What is not listed to an organization may be refused as no product of theirs.
        const isNone = !named.isListed && isRefused(exchange) && !answeredBy(exchange, "BelowMinimumCredit");
        if (!isNone && t.refused(rule, exchange, "BelowMinimumCredit"))
          t.equal("BIL-10", "error.details", errorOf(exchange)?.details, undefined, exchange);
      }
      // What was refused did not enable anything.
      for (const { as, product } of [
        { as: exact, product: middle },
        ...(above === null ? [] : [{ as: higher, product: above }]),
      ]) {
        const named = await productFor(t, as, product);
        const exchange = unlessOn(await pay(t, as, named.product.id), disabled);
        t.verify("BIL-20", !answeredBy(exchange, "BelowMinimumCredit"), {
          expected: `${what} by ${product.cents} cents not refused as below the least amount of the plan`,
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
        if (rule === "BIL-02" && named.isListed) t.accepted("BIL-22", exchange);
      }
    }
    // What auto top-up pays by is no reason to take less.
    const few = below === null ? null : await productFor(t, exact, below);
    if (few?.isListed) t.refused("BIL-01", await callTopUp(t, exact, few.product.id), "BelowMinimumCredit");
    // Nor is what it paid by before.
    if (few?.isListed && isSuccess(await callAutoTopUp(t, exact, null))) {
      const again = await callAutoTopUp(t, exact, { product: few.product, threshold: usualThreshold });
      t.refused("BIL-02", again, "BelowMinimumCredit");
    }
  },
});

/** Plans without a least top-up. */
export const payAsYouGo = check({
  id: "billing.pay-as-you-go",
  title: "Under pay-as-you-go no amount is too little",
  rules: ["BIL-03"],
  kind: "scenario",
  needs: ["least-top-up"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ min_topup_cents: null })).main();
    for (const { id, cents } of await productsOf(t, main)) {
      for (const { what, pay } of ways) {
        await disableAutoTopUp(t, main);
        const exchange = await pay(t, main, id);
        t.verify("BIL-03", !answeredBy(exchange, "BelowMinimumCredit"), {
          expected: `${what} by ${cents} cents not refused as too little`,
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
      }
    }
  },
});

/** What a top-up that is refused leaves behind. */
export const refusedTopUps = check({
  id: "billing.refused-top-ups",
  title: "A top-up that is refused, and auto top-up that is, change nothing",
  rules: ["BIL-21", "BIL-22"],
  kind: "scenario",
  needs: ["least-top-up", "no-plan", "state", "wallet"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const free = await (await t.tenant({ min_topup_cents: null })).main();
    const products = await productsOf(t, free);
    const largest = products.at(-1) ?? products[0];
    for (const wish of [{ min_topup_cents: largest.cents + 1 }, { no_plan: true }]) {
      const tenant = await t.otherTenant({ clock: "manual", wallet_micros: 0, ...wish });
      const main = await tenant.main();
      for (const { rule, pay } of ways) {
        // With a threshold above what is there, auto top-up would pay at once.
        for (const one of products) {
          const { id } = (await productFor(t, main, one)).product;
          const { exchange, before, after } = await effectOf(tenant, () => pay(t, main, id));
          const unchanged = rule === "BIL-01" ? "BIL-21" : "BIL-22";
          t.verify(unchanged, after.digest === before.digest && after.wallet_micros === before.wallet_micros, {
            expected: `the organization as it was, with ${before.wallet_micros} millionths of a US dollar`,
            actual: `changed, with ${after.wallet_micros}, after ${summaryOf(exchange)}`,
            exchanges: [exchange],
          });
        }
      }
    }
  }),
});
