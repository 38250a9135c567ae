import { check, sharedStock } from "../../context/check.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { leftAsItWas, watchingEffects } from "../../steps/effect-of.ts";
import { haveCommonStock } from "../../steps/number-stock.ts";
import { availableNumbers, callOrder, callSearch, foundIn, lastNumbers } from "../../steps/phone-number.ts";

const e164 = /^\+[1-9][0-9]{1,14}$/;

/** What a search shows. */
export const search = check({
  id: "phone-numbers.search",
  title: "A search shows phone numbers in the form of E.164",
  rules: ["NUM-31"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["key"],
  effects: ["reads"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    await availableNumbers(t, main, 1);
    const exchange = await callSearch(t, main);
    const wrong = foundIn(t, exchange).filter((number) => !e164.test(number));
    t.equal("NUM-31", "numbers of another form", wrong, [], exchange);
  },
});

/** What a search leaves behind. */
export const searchEffect = check({
  id: "phone-numbers.search-effect",
  title: "A search for phone numbers charges nothing and changes nothing",
  rules: ["NUM-30"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["state"],
  effects: ["reads"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    for (let count = 1; count <= 2; count += 1) {
      const { exchange, before, after } = await effectOf(tenant, () => callSearch(t, main));
      t.control(exchange, "searching for phone numbers");
      leftAsItWas(t, "NUM-30", { before, after }, exchange);
    }
  }),
});

/** Times that a number is searched for which somebody else was faster to order. */
const patience = 3;

/** A number that one organization was shown, and another one orders. */
export const noReservation = check({
  id: "phone-numbers.no-reservation",
  title: "A phone number that a search showed can be ordered by another organization",
  rules: ["NUM-01"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const other = await t.otherTenant();
    const stranger = await other.main();
    const isCommon = await haveCommonStock([tenant, other], 2 * patience);
    for (let tries = 1; ; tries += 1) {
      const [number = ""] = await lastNumbers(t, main, 1);
      const exchange = await callOrder(t, stranger, [number]);
      const isGone = answeredBy(exchange, "InsufficientInventoryOnOrder");
      if (isGone && tries < patience) continue;
      if (!isGone) t.control(exchange, "ordering a phone number");
      t.verify("NUM-01", isSuccess(exchange), {
        expected: `an order by another organization of the number ${number}, which a search has just shown`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
        // Others may be that fast, or find other numbers, where the kit says not who finds which.
        warnOnly: !isCommon,
      });
      return;
    }
  },
});
