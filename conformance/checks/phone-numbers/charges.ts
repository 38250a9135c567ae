import { type Check, check, sharedStock } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, errorOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import type { Credential, Tenant } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { type EffectOf, leftAsItWas, untilAtRest, watchingEffects } from "../../steps/effect-of.ts";
import { balanceOf, balanceOnce } from "../../steps/lookup.ts";
import { haveCommonStock, haveStock, newNumbers, stockAreaCode } from "../../steps/number-stock.ts";
import {
  areaWithNumbers,
  callBulkOrder,
  callOrder,
  type HeldNumber,
  lastNumbers,
  metBulkNumbers,
  metBulkOrder,
  metOrder,
  orderNumbers,
  releaseNumber,
} from "../../steps/phone-number.ts";
import { refusedAlways } from "../../steps/refused-always.ts";
import { releasedNumber } from "../../steps/released-number.ts";
import { chargedOrder, rentOf } from "../../steps/rent.ts";

/** What orders cost. */
export const charge = check({
  id: "phone-numbers.charge",
  title: "An order of phone numbers charges the first month's rent of each",
  rules: ["NUM-02", "NUM-32"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["state"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    let one: number | null = null;
    // More than once: the first could be free, or the only one that is charged.
    for (const count of [1, 1, 3, 2]) {
      const { cost, exchange } = await chargedOrder(t, main, async () => (await orderNumbers(t, main, count)).exchange);
      t.verify("NUM-02", cost > 0, {
        expected: `less in the wallet after an order of ${count}`,
        actual: `${cost} millionths of a US dollar charged`,
        exchanges: [exchange],
      });
      one ??= cost;
      t.equal("NUM-32", `what ${count} cost`, cost, count * one, exchange);
    }
  },
});

/** What bulk orders cost. */
export const bulkCharge = check({
  id: "phone-numbers.bulk-charge",
  title: "A bulk order of phone numbers charges the first month's rent",
  rules: ["NUM-33"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["state"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    for (const quantity of [1, 2]) {
      const areaCode = await areaWithNumbers(t, main);
      const { cost, exchange } = await chargedOrder(t, main, async () =>
        metBulkOrder(t, await callBulkOrder(t, main, { areaCode, quantity })),
      );
      t.verify("NUM-33", cost > 0, {
        expected: `less in the wallet after a bulk order of ${quantity}`,
        actual: `${cost} millionths of a US dollar charged`,
        exchanges: [exchange],
      });
    }
  },
});

/** Times that an order is tried whose numbers others were faster to order. */
const patience = 5;

/** Orders that the wallet does not cover. */
export const uncovered = check({
  id: "phone-numbers.uncovered",
  title: "An order of phone numbers that the wallet does not cover is refused, assigns nothing and charges nothing",
  rules: ["NUM-03"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["state", "wallet"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const rich = await t.tenant({ clock: "manual" });
    const main = await rich.main();
    const rent = await rentOf(t, main);
    for (const [wallet_micros, count] of uncoveredBy(rent)) {
      const poor = await t.otherTenant({ clock: "manual", wallet_micros });
      const as = await poor.main();
      const isCommon = await haveCommonStock([rich, poor], patience * count);
      let numbers: readonly string[] = [];
      let last: Exchange | null = null;
      const exchange = await judgeUncovered(t, effectOf, "NUM-03", poor, async () => {
        for (let tries = 1; ; tries += 1) {
          numbers = await lastNumbers(t, as, count);
          last = await callOrder(t, as, numbers);
          // Somebody else may have been faster.
          if (tries === patience || !answeredBy(last, "InsufficientInventoryOnOrder")) return last;
        }
      });
      if (isSuccess(exchange)) continue;
      // What was assigned could be ordered by nobody else.
      const elsewhere = await callOrder(t, main, numbers);
      t.verify("NUM-03", isSuccess(elsewhere), {
        expected: "numbers that another organization can order, since none was assigned",
        actual: summaryOf(elsewhere),
        exchanges: [last ?? exchange, elsewhere],
        // Each organization may find numbers of its own.
        warnOnly: !isCommon,
      });
    }
  }),
});

/** Bulk orders that the wallet does not cover. */
export const uncoveredBulk = check({
  id: "phone-numbers.uncovered-bulk",
  title: "A bulk order that the wallet does not cover is refused, assigns nothing and charges nothing",
  rules: ["NUM-04"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["state", "wallet"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const rich = await t.tenant({ clock: "manual" });
    const main = await rich.main();
    const rent = await rentOf(t, main);
    metBulkOrder(t, await callBulkOrder(t, main, { areaCode: await areaWithNumbers(t, main), quantity: 1 }));
    for (const [wallet_micros, quantity] of uncoveredBy(rent)) {
      const poor = await t.otherTenant({ clock: "manual", wallet_micros });
      const as = await poor.main();
      // Each organization may find numbers of its own, and that there are none may be said before the price.
      const areaCode = await areaWithNumbers(t, as);
      await judgeUncovered(t, effectOf, "NUM-04", poor, () => callBulkOrder(t, as, { areaCode, quantity }));
    }
  }),
});

/** Numbers that are ordered, released and ordered again, for what they cost the first time and no more. */
const lastCreditOf = (count: number, form: { readonly id: string; readonly title: string }): Check =>
  check({
    ...form,
    rules: ["NUM-02", "NUM-03"],
    inTurn: sharedStock,
    kind: "scenario",
    needs: ["state", "wallet"],
    effects: ["creates", "spends"],
    draws: {},
    async run(t) {
      const main = await coveringTwice(t, count);
      const numbers = await lastNumbers(t, main, count);
      await judgeLastCredit(t, { covers: "NUM-03", charges: "NUM-02" }, main, {
        order: () => callOrder(t, main, numbers),
        numbersOf: (exchange) => metOrder(t, exchange).numbers,
      });
    },
  });

export const lastCredit = lastCreditOf(1, {
  id: "phone-numbers.last-credit",
  title: "A wallet that holds exactly what a phone number costs covers it",
});

export const lastCreditOfTwo = lastCreditOf(2, {
  id: "phone-numbers.last-credit-of-two",
  title: "A wallet that holds exactly what two phone numbers cost covers them",
});

/** The same of a bulk order, which finds these numbers only and so gets them again. */
const lastCreditInBulk = (quantity: number, form: { readonly id: string; readonly title: string }): Check =>
  check({
    ...form,
    rules: ["NUM-04", "NUM-33"],
    inTurn: sharedStock,
    kind: "scenario",
    needs: ["state", "wallet", "number-stock"],
    effects: ["creates", "spends"],
    draws: {},
    async run(t) {
      const main = await coveringTwice(t, quantity);
      await haveStock(main.tenant, newNumbers(quantity));
      await judgeLastCredit(t, { covers: "NUM-04", charges: "NUM-33" }, main, {
        order: () => callBulkOrder(t, main, { areaCode: stockAreaCode, quantity }),
        numbersOf: (exchange) => metBulkNumbers(t, exchange).numbers,
      });
    },
  });

export const lastCreditOfBulk = lastCreditInBulk(1, {
  id: "phone-numbers.last-credit-of-bulk",
  title: "A wallet that holds exactly what the number of a bulk order costs covers it",
});

export const lastCreditOfTwoInBulk = lastCreditInBulk(2, {
  id: "phone-numbers.last-credit-of-two-in-bulk",
  title: "A wallet that holds exactly what the two numbers of a bulk order cost covers them",
});

/** Who has twice what so many numbers cost. */
async function coveringTwice(t: CheckContext, count: number): Promise<Credential> {
  const rent = await rentOf(t, await (await t.tenant({ clock: "manual" })).main());
  return (await t.otherTenant({ clock: "manual", wallet_micros: 2 * count * rent })).main();
}

/**
 * Decides that an order is not refused for the wallet that was met before for what is left, and is charged once more.
 * Organizations may differ in what they pay, and numbers in what they cost: the same one costs the same again.
 */
async function judgeLastCredit<Covers extends "NUM-03" | "NUM-04", Charges extends "NUM-02" | "NUM-33">(
  t: CheckContext<Covers | Charges>,
  rules: { readonly covers: Covers; readonly charges: Charges },
  as: Credential,
  way: {
    readonly order: () => Promise<Exchange>;
    /** The numbers of an order that was met; blocks where it was not. */
    readonly numbersOf: (exchange: Exchange) => readonly HeldNumber[];
  },
): Promise<void> {
  let held: readonly HeldNumber[] = [];
  const { cost } = await chargedOrder(t, as, async () => {
    const exchange = await way.order();
    held = way.numbersOf(exchange);
    return exchange;
  });
  if (held.length === 0)
    throw new NotApplicable("an order shows no numbers, so that the same one is not ordered again");
  for (const { id } of held)
    await releasedNumber(t, as, id, t.control(await releaseNumber(t, as, id), "releasing a number"));
  // To let a number go may cost something, too.
  await untilAtRest(t, as.tenant);
  const left = await balanceOf(as.tenant);
  if (left < cost) throw new NotApplicable(`a number costs ${cost} millionths of a US dollar, and ${left} are left`);
  const { exchange: again, cost: nextCost } = await chargedOrder(t, as, way.order);
  t.verify(rules.covers, !answeredBy(again, "InsufficientCredit"), {
    expected: `an order for ${cost} millionths of a US dollar, of which there are ${left}`,
    actual: summaryOf(again),
    exchanges: [again],
  });
  // What is let go may be had again by nobody for a while.
  if (!isSuccess(again)) throw new NotApplicable(`the order that came again was answered ${summaryOf(again)}`);
  t.verify(rules.charges, nextCost > 0, {
    expected: "less in the wallet after an order of a number that the organization has held before",
    actual: `${nextCost} millionths of a US dollar charged`,
    exchanges: [again],
  });
}

/** Wallets that do not cover so many numbers, by what one of them costs. */
const uncoveredBy = (rent: number): readonly (readonly [wallet: number, count: number])[] => [
  [0, 1],
  [rent - 1, 1],
  [0, 2],
  [2 * rent - 1, 2],
];

/** Has an order refused for the wallet. */
async function judgeUncovered<Rule extends "NUM-03" | "NUM-04">(
  t: CheckContext<Rule>,
  effectOf: EffectOf,
  rule: Rule,
  poor: Tenant,
  order: () => Promise<Exchange>,
): Promise<Exchange> {
  const had = await balanceOf(poor);
  const { exchange, before, after } = await effectOf(poor, order);
  // The charge may come later than the answer.
  const left = isSuccess(exchange) ? await balanceOnce(t, poor, (balance) => balance < had) : after.wallet_micros;
  if (isSuccess(exchange) && had > 0 && left < had) {
    // Numbers may differ in what they cost: some that cost less than the first is no breach.
    t.verify(rule, left >= 0, {
      expected: `at most ${had} millionths of a US dollar charged`,
      actual: `${had - left}`,
      exchanges: [exchange],
    });
    return exchange;
  }
  t.refused(rule, exchange, "InsufficientCredit");
  t.equal(rule, "error.details", errorOf(exchange)?.details, undefined, exchange);
  leftAsItWas(t, rule, { before, after }, exchange);
  // Where there is anything, another number may be had for it.
  if (had === 0 && answeredBy(exchange, "InsufficientCredit"))
    await refusedAlways(t, rule, order, "InsufficientCredit");
  return exchange;
}
