import { callerOf } from "../../context/caller-of.ts";
import { type Check, check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import {
  balanceOncePaid,
  callAutoTopUp,
  callTopUp,
  creditedBy,
  disableAutoTopUp,
  microsInCent,
  productsOf,
  topUp,
} from "../../steps/billing.ts";
import { isSameWallet, lastsLater } from "../../steps/later-state.ts";
import { balanceOf, balanceOnce, makeLookup, priceOf } from "../../steps/lookup.ts";
import { soundInput, soundInputCost } from "../../steps/sound-input.ts";

/** Calls of each operation: the control request, and those in the observed organizations. */
const mostCalls = 4;

/** Charged operations that are refused for lack of credit. No job may collect the charge once the wallet covers it. */
export const refusedCharges: readonly Check[] = forEachOperation((operation) => {
  const { id, method, path, draws, shortages } = operation;
  if (!shortages.includes("credit")) return null;
  return {
    id: "billing.refused-charge-later",
    title: `${method} ${path} that is refused for lack of credit is not charged after a top-up`,
    rules: ["BIL-12"],
    kind: "scenario",
    needs: ["state", "wallet", "manual-clock"],
    effects: ["creates", "spends"],
    draws: sumOfDraws([soundInputCost(operation, mostCalls).draws, callDraws(draws, mostCalls)]),
    async run(t) {
      const rich = await t.tenant({ clock: "manual" });
      const sound = await soundInput(id, t, rich);
      const before = await balanceOf(rich);
      t.control(await t.call(id, sound, await callerOf(operation, rich)), `${method} ${path} with money`);
      const price = before - (await balanceOnce(t, rich, (balance) => balance < before));
      if (price <= 0) throw new NotApplicable(`${id} is charged nothing`);
      await lastsLater(t, "BIL-12", {
        begin: async () => {
          const tenant = await t.otherTenant({ clock: "manual", wallet_micros: price - 1 });
          const main = await tenant.main();
          await disableAutoTopUp(t, main);
          return { tenant, main, caller: await callerOf(operation, tenant), input: await soundInput(id, t, tenant) };
        },
        act: async ({ caller, input }) => {
          const exchange = await t.call(id, input, caller);
          if (isSuccess(exchange)) throw new NotApplicable(`${id} is done without money: ${summaryOf(exchange)}`);
          if (answeredBy(exchange, "InsufficientCredit")) return [exchange];
          const unblock = "see the operation's own rules";
          throw new Blocked(`${id} without money was answered ${summaryOf(exchange)}`, unblock);
        },
        proceed: ({ main }) => receiveMoney(t, main),
        isKept: isSameWallet,
      });
    },
  };
});

/** Tops the wallet up, if the target has top-ups that need no payer. */
async function receiveMoney(t: CheckContext, as: Credential): Promise<void> {
  const before = await balanceOf(as.tenant);
  const listed = await t.call("listTopUpProducts", {}, as);
  if (!isSuccess(listed)) return;
  const products = await productsOf(t, as);
  const exchange = await callTopUp(t, as, (products.at(-1) ?? products[0]).id);
  if (isSuccess(exchange)) await balanceOncePaid(t, as.tenant, (balance) => balance > before);
}

/** A wallet that was topped up. */
export const toppedUp = check({
  id: "billing.top-up-later",
  title: "A top-up adds its amount once, and the balance does not change hours or days later",
  rules: ["BIL-23"],
  kind: "scenario",
  needs: ["state", "fresh-organization", "manual-clock"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    await lastsLater(t, "BIL-23", {
      begin: async () => {
        const tenant = await t.tenant({ clock: "manual" });
        const main = await tenant.main();
        await disableAutoTopUp(t, main);
        const [product] = await productsOf(t, main);
        return { tenant, main, product };
      },
      act: async ({ tenant, main, product }) => {
        const before = await balanceOf(tenant);
        const wanted = before + product.cents * microsInCent;
        const exchange = await topUp(t, main, product);
        await creditedBy(t, tenant, [exchange], (balance) => balance === wanted, before);
        return [exchange];
      },
      isKept: isSameWallet,
    });
  },
});

/** A wallet that topped itself up. */
export const toppedUpByItself = check({
  id: "billing.auto-top-up-later",
  title: "Auto top-up pays once for a balance below the threshold, and not again hours or days later",
  rules: ["BIL-25"],
  kind: "scenario",
  needs: ["state", "wallet", "manual-clock"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const thresholdCents = 100;
    const price = await priceOf(t, await (await t.tenant({ clock: "manual" })).main());
    await lastsLater(t, "BIL-25", {
      begin: async () => {
        const wallet_micros = thresholdCents * microsInCent + price;
        const tenant = await t.otherTenant({ clock: "manual", wallet_micros });
        const main = await tenant.main();
        const [product] = await productsOf(t, main);
        await disableAutoTopUp(t, main);
        t.control(await callAutoTopUp(t, main, { product, threshold: thresholdCents }), "enabling auto top-up");
        return { tenant, main };
      },
      act: async ({ tenant, main }) => {
        const before = await balanceOf(tenant);
        const exchanges: Exchange[] = [];
        // One lookup leaves the threshold, and the next one less.
        for (let lookups = 1; lookups <= 2; lookups += 1) exchanges.push((await makeLookup(t, main)).exchange);
        const after = await balanceOncePaid(t, tenant, (balance) => balance > before);
        if (after <= before)
          throw new Blocked("a charge below the threshold brought no top-up", "see billing.auto-top-up-pays", "server");
        return exchanges;
      },
      isKept: isSameWallet,
    });
  },
});
