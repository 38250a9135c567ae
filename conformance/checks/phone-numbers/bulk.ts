import { eventType } from "../../../generated/events.ts";
import { check, sharedStock } from "../../context/check.ts";
import { errorDataOf, errorOf, isSuccess, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { judgeConcurrentCalls } from "../../steps/concurrent-calls.ts";
import { leftAsItWas, watchingEffects } from "../../steps/effect-of.ts";
import { haveStock, newNumbers, stockAreaCode } from "../../steps/number-stock.ts";
import { areaWithNumbers, callBulkOrder, callOrder, metBulkOrder } from "../../steps/phone-number.ts";
import { eventually } from "../../steps/settle.ts";
import { byFeed, byReceiver, forEachVantage, seenEvents } from "../../steps/vantage.ts";

/** Bulk orders of more than there is. */
export const bulkShortage = check({
  id: "phone-numbers.bulk-shortage",
  title: "A bulk order of more numbers than there are is refused without data, assigns nothing and charges nothing",
  rules: ["NUM-34", "NUM-06", "NUM-09"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["number-stock", "state"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    for (const [there, quantity] of [
      [3, 3],
      [2, 3],
      [0, 3],
      [1, 3],
    ] as const) {
      const numbers = newNumbers(there);
      await haveStock(tenant, numbers);
      if (quantity <= there) {
        const met = await callBulkOrder(t, main, { areaCode: stockAreaCode, quantity });
        t.verify("NUM-34", !answeredBy(met, "InsufficientInventory"), {
          expected: `a bulk order of ${quantity} numbers where there are ${there} not to be refused for want of them`,
          actual: summaryOf(met),
          exchanges: [met],
        });
        metBulkOrder(t, met);
        continue;
      }
      const { exchange, before, after } = await effectOf(tenant, () =>
        callBulkOrder(t, main, { areaCode: stockAreaCode, quantity }),
      );
      t.refused("NUM-34", exchange, "InsufficientInventory");
      t.equal("NUM-34", "error.details", errorOf(exchange)?.details, undefined, exchange);
      t.equal("NUM-09", "data", errorDataOf(exchange), undefined, exchange);
      leftAsItWas(t, "NUM-06", { before, after }, exchange);
      if (there === 0 || isSuccess(exchange)) continue;
      const all = await callOrder(t, main, numbers);
      t.verify("NUM-06", isSuccess(all), {
        expected: "an order of all numbers that there are, since none was assigned",
        actual: summaryOf(all),
        exchanges: [exchange, all],
      });
    }
  }),
});

/** Numbers that several orders want at once, and orders of all of them. */
const [wanted, atOnce] = [3, 4] as const;

/** Bulk orders that meet. */
export const bulkRace = check({
  id: "phone-numbers.bulk-race",
  title: "Of bulk orders of all numbers that there are one is met at most, however many arrive at once",
  rules: ["NUM-34"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["number-stock"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    for (let round = 1; round <= 2; round += 1) {
      await haveStock(main.tenant, newNumbers(wanted));
      const order = () => callBulkOrder(t, main, { areaCode: stockAreaCode, quantity: wanted });
      const exchanges = await Promise.all(Array.from({ length: atOnce }, order));
      judgeConcurrentCalls(t, {
        exchanges,
        noun: "bulk orders of all numbers that there are",
        room: 1,
        isRefusal: (exchange) => answeredBy(exchange, "InsufficientInventory"),
        admits: "NUM-34",
        refuses: "NUM-34",
        // Nothing says that orders which meet must not stand in each other's way; what is only accepted may still fail.
        warnOnly: { tooFew: true, tooMany: exchanges.some((exchange) => statusOf(exchange) === 202) },
      });
    }
  },
});

/** Orders and bulk orders of the same numbers that arrive together. */
export const mixedRace = check({
  id: "phone-numbers.mixed-race",
  title: "At most one of several concurrent orders and bulk orders of the same numbers succeeds",
  rules: ["NUM-34"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["number-stock"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    for (let round = 1; round <= 2; round += 1) {
      const numbers = newNumbers(wanted);
      await haveStock(main.tenant, numbers);
      const order = () => callOrder(t, main, numbers);
      const bulk = () => callBulkOrder(t, main, { areaCode: stockAreaCode, quantity: wanted });
      const exchanges = await Promise.all([order, bulk, order, bulk].map((call) => call()));
      judgeConcurrentCalls(t, {
        exchanges,
        noun: "orders and bulk orders of the same numbers",
        room: 1,
        isRefusal: (exchange) =>
          answeredBy(exchange, "InsufficientInventory") || answeredBy(exchange, "InsufficientInventoryOnOrder"),
        admits: "NUM-34",
        refuses: "NUM-34",
        // The API document permits that concurrent orders hinder each other. An order with status 202 may still fail.
        warnOnly: { tooFew: true, tooMany: exchanges.some((exchange) => statusOf(exchange) === 202) },
      });
    }
  },
});

/** What an endpoint is sent of a bulk order. Nothing says which operation sends which event, so it is only recorded. */
export const bulkOrderEvent = forEachVantage([byReceiver, byFeed], ({ watch }) =>
  check({
    id: "phone-numbers.bulk-order-event",
    title: `A bulk order is told by ${eventType.phoneNumberBulkOrderCompleted}`,
    rules: ["NUM-41"],
    inTurn: sharedStock,
    kind: "scenario",
    needs: ["key"],
    effects: ["creates", "spends"],
    draws: {},
    async run(t) {
      const type = eventType.phoneNumberBulkOrderCompleted;
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      const watched = await watch(t, main, { events: [type] });
      const wish = { areaCode: await areaWithNumbers(t, main), quantity: 1 };
      const exchange = metBulkOrder(t, await callBulkOrder(t, main, wish));
      const isTold = await eventually(t, tenant, async () =>
        (await seenEvents(watched)).some((one) => one.eventType === type) ? true : null,
      );
      const what = isTold === true ? "was sent" : "was not sent in time";
      t.observe("NUM-41", `${type} ${what} after a bulk order`, exchange);
    },
  }),
);
