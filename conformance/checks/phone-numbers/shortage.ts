import { organizationState } from "../../arrangements/organization-state.ts";
import { check, sharedStock } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import {
  type Exchange,
  errorDataOf,
  errorOf,
  isSuccess,
  objectOf,
  statusOf,
  summaryOf,
} from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { type EffectOf, leftAsItWas, untilAtRest, watchingEffects } from "../../steps/effect-of.ts";
import { balanceOf, balanceOnce } from "../../steps/lookup.ts";
import { haveCommonStock, haveStock, newNumbers } from "../../steps/number-stock.ts";
import { availableNumbers, callOrder, lastNumbers, metOrder, orderNumbers } from "../../steps/phone-number.ts";
import { rentOf } from "../../steps/rent.ts";
import { isSameId } from "../../steps/settle.ts";
import { withoutEffect } from "../../steps/without-effect.ts";

const e164 = /^\+[1-9][0-9]{1,14}$/;

/** Orders some of whose numbers another organization holds. */
export const shortage = check({
  id: "phone-numbers.shortage",
  title: "An order that names a number that another organization holds is refused, says which, and assigns nothing",
  rules: ["NUM-05", "NUM-06", "NUM-07", "NUM-08", "NUM-35"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const other = await t.otherTenant({ clock: "manual" });
    const stranger = await other.main();
    const isCommon = await haveCommonStock([tenant, other], 20);
    await orderNumbers(t, main);
    const held = await availableNumbers(t, stranger, 2);
    const theirs = t.control(await callOrder(t, stranger, held), "ordering phone numbers");
    // What is in no stock can be had no more than what is held.
    const lacking = isCommon ? [...held, ...newNumbers(1)] : held;
    for (const mixed of mixes(lacking)) {
      // What is held may still be shown, and an order names no number twice.
      const numbers = [...new Set(mixed(await lastNumbers(t, main, 2)))];
      const exchange = await judgeShortage(t, effectOf, main, numbers);
      t.verify("NUM-35", !isSuccess(exchange), {
        expected: "no number of another organization",
        actual: summaryOf(exchange),
        exchanges: [theirs, exchange],
      });
      if (isSuccess(exchange)) continue;
      const listed = judgeData(t, exchange, numbers, lacking);
      const others = numbers.filter((number) => !lacking.includes(number));
      // A search shows what may be gone a moment later: what can be ordered still was there.
      for (const number of others.filter((one) => listed.includes(one))) {
        const had = await callOrder(t, stranger, [number]);
        t.verify("NUM-08", !isSuccess(had), {
          expected: `${number} not among unavailable, since it can be had`,
          actual: JSON.stringify(listed),
          exchanges: [exchange, had],
        });
      }
      const free = others.filter((one) => !listed.includes(one));
      if (free.length === 0) continue;
      // What was assigned could be ordered by nobody else.
      const ordered = await callOrder(t, stranger, free);
      t.verify("NUM-06", isSuccess(ordered), {
        expected: "the order's other numbers to be there for another organization, since none was assigned",
        actual: summaryOf(ordered),
        exchanges: [exchange, ordered],
        // Others may have been faster, or find other numbers, where the kit says not who finds which.
        warnOnly: !isCommon,
      });
    }
  }),
});

/** Orders that cannot be met in full, of numbers that are held, or that there are not, and free ones. */
const mixes = ([first = "", last = "", ...more]: readonly string[]): readonly ((
  free: readonly string[],
) => readonly string[])[] => [
  () => [first],
  ([one = ""]) => [one, first],
  ([one = ""]) => [last, one],
  ([one = ""]) => [first, one, last],
  // An order may name but few.
  ...more.map((none) => () => [first, none]),
];

/** Has an order refused for what cannot be had; sees that it leaves nothing behind where the target tells. */
async function judgeShortage(
  t: CheckContext<"NUM-05" | "NUM-06">,
  effectOf: EffectOf,
  as: Credential,
  numbers: readonly string[],
): Promise<Exchange> {
  let first: Exchange | null = null;
  const order = async (): Promise<Exchange> => {
    const exchange = await callOrder(t, as, numbers);
    first ??= exchange;
    return exchange;
  };
  const effect = as.tenant.can(organizationState) ? await effectOf(as.tenant, order) : null;
  const exchange = effect?.exchange ?? (await order());
  t.refused("NUM-05", exchange, "InsufficientInventoryOnOrder");
  t.equal("NUM-05", "error.details", errorOf(exchange)?.details, undefined, exchange);
  if (effect !== null) leftAsItWas(t, "NUM-06", effect, exchange);
  // Of one that is sent again all may be gone that the first one took.
  return first ?? exchange;
}

/** What the refusal tells of the order's numbers; gives those that it says cannot be had. */
function judgeData(
  t: CheckContext<"NUM-07" | "NUM-08">,
  exchange: Exchange,
  numbers: readonly string[],
  held: readonly string[],
): readonly string[] {
  const { available_count: count, unavailable } = objectOf(errorDataOf(exchange)) ?? {};
  const isList = Array.isArray(unavailable) && unavailable.every((one) => typeof one === "string" && e164.test(one));
  t.verify("NUM-07", Number.isInteger(count) && isList, {
    expected: "data with available_count, an integer, and unavailable, a list of numbers in the form of E.164",
    actual: JSON.stringify(errorDataOf(exchange)) ?? "no data",
    exchanges: [exchange],
  });
  if (!isList) return [];
  const lacking = numbers.filter((number) => held.includes(number));
  const judged = unavailable.filter((one) => held.includes(one) || !numbers.includes(one));
  t.equal("NUM-08", "unavailable, in any order", judged.toSorted(), lacking.toSorted(), exchange);
  return unavailable;
}

/** Orders of one number that meet. */
export const race = check({
  id: "phone-numbers.race",
  title: "Of two organizations that order one number at once one gets it at most, and the other one is charged nothing",
  rules: ["NUM-36"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["other-organization", "state"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const racers = [await (await t.tenant()).main(), await (await t.otherTenant()).main()];
    const [main, other] = racers;
    if (main === undefined || other === undefined) throw new Error("Two race.");
    const rents = [await rentOf(t, main), await rentOf(t, other)];
    let met = 0;
    for (let round = 1; round <= 4; round += 1) {
      const [number = ""] = await availableNumbers(t, main, 1);
      const before = await Promise.all(racers.map(({ tenant }) => balanceOf(tenant)));
      const exchanges = await Promise.all([...racers, ...racers].map((as) => callOrder(t, as, [number])));
      const winners = exchanges.flatMap((exchange, index) => (isSuccess(exchange) ? [index % racers.length] : []));
      met += winners.length;
      const orders = exchanges.filter(isSuccess);
      // The same number may be shown once more to who has it already.
      const isOne = orders.length <= 1 || (new Set(winners).size === 1 && showOne(t, orders));
      t.verify("NUM-36", isOne, {
        expected: `one order of the number ${number} that is met, at most`,
        actual: `${winners.length} of them`,
        exchanges: orders,
        // What was only accepted may still fail.
        warnOnly: orders.some((order) => statusOf(order) === 202),
      });
      for (const [index, { tenant }] of racers.entries()) {
        const most = winners.includes(index) ? (rents[index] ?? 0) : 0;
        const had = before[index] ?? 0;
        const cost = had - (await balanceOnce(t, tenant, (balance) => (most === 0 ? balance === had : balance < had)));
        t.verify("NUM-36", most > 0 || cost === 0, {
          expected: "nothing charged to who got nothing",
          actual: `${cost} millionths of a US dollar`,
          exchanges: exchanges.filter((_, place) => place % racers.length === index),
        });
      }
    }
    if (met === 0)
      throw new Blocked("none of the orders at once was met", "see how the target fares under some at once", "server");
  },
});

/** Whether all orders show one record of the same number. */
function showOne(t: CheckContext, orders: readonly Exchange[]): boolean {
  const [first, ...others] = orders.flatMap((order) => metOrder(t, order).numbers);
  return first !== undefined && others.every(({ id }) => isSameId(id, first.id));
}

/** An order of a number that the organization holds itself. */
export const ownNumber = check({
  id: "phone-numbers.own-number",
  title: "An order of a number that the organization holds already is refused",
  rules: ["NUM-05"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const numbers = await availableNumbers(t, main, 1);
    const first = metOrder(t, t.control(await callOrder(t, main, numbers), "ordering phone numbers"));
    // What others pay meanwhile tells nothing.
    const isSeen = tenant.own && tenant.can(organizationState);
    if (isSeen) await untilAtRest(t, tenant);
    const had = isSeen ? await balanceOf(tenant) : null;
    const exchange = await callOrder(t, main, numbers);
    const shown = isSuccess(exchange) ? metOrder(t, exchange).numbers : first.numbers;
    if (had !== null) await untilAtRest(t, tenant);
    const isCharged = had !== null && (await balanceOf(tenant)) < had;
    t.verify("NUM-05", answeredBy(exchange, "InsufficientInventoryOnOrder"), {
      expected: "a refusal, since the number cannot be had once more",
      actual: summaryOf(exchange),
      exchanges: [first.exchange, exchange],
      // Of the organization's own number a server may say that what is wanted is in effect already, or show it.
      warnOnly: !isCharged && shown.every(({ id }) => first.numbers.some((one) => isSameId(one.id, id))),
    });
  },
});

/** Orders that name a number which the organization holds itself. */
export const ownNumberListed = check({
  id: "phone-numbers.own-number-listed",
  title: "An order that cannot be met for a number which the organization holds already says which one that is",
  rules: ["NUM-08"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const held = await availableNumbers(t, main, 1);
    const first = t.control(await callOrder(t, main, held), "ordering phone numbers");
    let refusals = 0;
    for (const mixed of mixes(held).slice(0, 2)) {
      // What is held may still be shown, and an order names no number twice.
      const numbers = [...new Set(mixed(await lastNumbers(t, main, 1)))];
      const exchange = await callOrder(t, main, numbers);
      if (!answeredBy(exchange, "InsufficientInventoryOnOrder")) continue;
      refusals += 1;
      const { unavailable } = objectOf(errorDataOf(exchange)) ?? {};
      const listed: readonly unknown[] = Array.isArray(unavailable) ? unavailable : [];
      // The other number may be gone by now, and is reason enough then.
      t.verify(
        "NUM-08",
        numbers.some((number) => listed.includes(number)),
        {
          expected: `one of ${numbers.join(", ")} among unavailable, as the order cannot be met`,
          actual: JSON.stringify(unavailable) ?? "none",
          exchanges: [first, exchange],
        },
      );
    }
    // That it is there already may be told in another way.
    if (refusals === 0) throw new NotApplicable("an order of a number of one's own is not told to want for numbers");
  },
});

/** An order of a number that is not in stock, and the days after. */
export const shortOrderForGood = withoutEffect({
  operation: "orderPhoneNumbers",
  row: "InsufficientInventoryOnOrder",
  needs: ["number-stock"],
  inTurn: sharedStock,
  effects: ["creates", "spends"],
  draws: {},
  async begin(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    await haveStock(tenant, newNumbers(1));
    return { tenant, send: () => callOrder(t, main, newNumbers(1)) };
  },
});
