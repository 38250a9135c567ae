import { operations } from "../../../generated/operations.ts";
import { callerOf } from "../../context/caller-of.ts";
import { check, sharedStock } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type ApiOperation, apiOperations } from "../../context/for-each-operation.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import type { Tenant } from "../../provision/tenant.ts";
import {
  balanceOncePaid,
  callAutoTopUp,
  callTopUp,
  creditedBy,
  disableAutoTopUp,
  microsInCent,
  productsOf,
  settledBalance,
} from "../../steps/billing.ts";
import { brandPriceMicros, callBrand, unhindered } from "../../steps/brand.ts";
import { balanceOf } from "../../steps/lookup.ts";
import { soundInput } from "../../steps/sound-input.ts";

/** Charged operations. A send without money is an open question. */
const allCharged: readonly ApiOperation[] = apiOperations.filter(
  ({ id, shortages }) => shortages.includes("credit") && id !== operations.sendMessage.id,
);

const isOfBrands = ({ id }: ApiOperation): boolean => id === operations.createBrand.id;
const brands = allCharged.filter(isOfBrands);
const charged = allCharged.filter((operation) => !isOfBrands(operation));

/** Calls of another operation that arrive together with the registration of a brand. */
const besideBrand = 3;

/** Different charged operations on one wallet. */
export const mixedCharges = check({
  id: "billing.mixed-charges-at-once",
  title: "If concurrent calls of different operations share a wallet, no more succeed than it covers",
  rules: ["BIL-35"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["reseller-mode", "state", "wallet"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const rich = await t.tenant({ clock: "manual" });
    // As long as a charge is pending, the wallet still covers other calls.
    for (const operation of brands)
      if (!(await isChargedAtOnce(t, operation, rich)))
        throw new NotApplicable("a brand is charged later than it is registered");
    const others: ApiOperation[] = [];
    for (const operation of charged) if (await isChargedAtOnce(t, operation, rich)) others.push(operation);
    if (others.length === 0) throw new NotApplicable("no operation besides brands is charged with its response");
    // The price of a brand is documented: a brand takes all of a wallet that holds no more.
    const wish = { clock: "manual", is_reseller: true, wallet_micros: brandPriceMicros } as const;
    for (const operation of others)
      for (let place = 0; place <= besideBrand; place += 1) {
        const tenant = await t.otherTenant(wish);
        const main = await tenant.main();
        const caller = await callerOf(operation, tenant);
        const calls: (() => Promise<Exchange>)[] = [];
        while (calls.length < besideBrand) {
          const input = await soundInput(operation.id, t, tenant);
          calls.push(() => t.call(operation.id, input, caller));
        }
        const register = (): Promise<Exchange> => callBrand(t, main);
        // Servers tend to begin with the call that arrives first.
        calls.splice(place, 0, register);
        const exchanges = await Promise.all(calls.map((call) => call()));
        const done = exchanges.filter(isSuccess);
        const brand = done.find((exchange) => exchange === exchanges[place]);
        t.verify("BIL-35", brand === undefined || done.length === 1, {
          expected: `no call of ${operation.method} ${operation.path} done with the money that paid for a brand`,
          actual: `${done.length} calls were done, of which one registered a brand`,
          exchanges: done.slice(0, 3),
        });
      }
  },
});

/** Returns true if a call of an operation is charged by the time of its response. */
async function isChargedAtOnce(t: CheckContext, operation: ApiOperation, tenant: Tenant): Promise<boolean> {
  const input = await soundInput(operation.id, t, tenant);
  const before = await balanceOf(tenant);
  const exchange = await t.call(operation.id, input, await callerOf(operation, tenant));
  return isSuccess(exchange) && (await balanceOf(tenant)) < before;
}

/** Registrations, and top-ups, that arrive together. */
const atOnce = 2;

/** Top-ups and charges of one wallet at the same time. */
export const concurrentTopUpsAndCharges = check({
  id: "billing.top-ups-beside-charges",
  title: "Concurrent top-ups and charges all count in the wallet",
  rules: ["BIL-23"],
  kind: "scenario",
  needs: ["reseller-mode", "state", "wallet"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const wish = { clock: "manual", is_reseller: true, wallet_micros: 2 * atOnce * brandPriceMicros } as const;
    const tenant = await t.otherTenant(wish);
    const main = await tenant.main();
    const [product] = await productsOf(t, main);
    await disableAutoTopUp(t, main);
    for (let round = 1; round <= 2; round += 1) {
      const before = await balanceOf(tenant);
      const pairs = Array.from({ length: atOnce }, () => [callTopUp(t, main, product.id), callBrand(t, main)]);
      const exchanges = await Promise.all(pairs.flat());
      const lost = exchanges.find(({ outcome }) => outcome.kind === "lost");
      if (lost !== undefined) throw new Blocked(`a call was answered ${summaryOf(lost)}`, "see how the target fares");
      const topUps = exchanges.filter((exchange, index) => index % 2 === 0 && isSuccess(exchange));
      const brands = exchanges.filter((exchange, index) => index % 2 === 1 && isSuccess(exchange));
      if (topUps.length === 0 || brands.length === 0)
        throw new Blocked(`none of ${atOnce} top-ups or brands succeeded`, "see BIL-11 and BRD-01 first", "server");
      const wanted = before + topUps.length * product.cents * microsInCent - brands.length * brandPriceMicros;
      const unpaid = before - brands.length * brandPriceMicros;
      const after = await creditedBy(t, tenant, topUps, (balance) => balance === wanted, unpaid);
      const what = `the wallet after ${topUps.length} top-ups and ${brands.length} brands at once`;
      t.equal("BIL-23", what, after, wanted, ...topUps, ...brands);
    }
  },
});

/** Registrations of which the last one leaves less than the threshold. */
const crossingCharges = 3;

/** Concurrent charges that together bring a wallet below the threshold of auto top-up. */
export const crossingAtOnce = check({
  id: "billing.crossing-charges-at-once",
  title: "If concurrent charges leave less than the threshold, auto top-up pays once",
  rules: ["BIL-25"],
  kind: "scenario",
  needs: ["reseller-mode", "state", "wallet"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const thresholdCents = 100;
    const wallet_micros = crossingCharges * brandPriceMicros + (thresholdCents * microsInCent) / 2;
    const tenant = await t.otherTenant({ clock: "manual", is_reseller: true, wallet_micros });
    const main = await tenant.main();
    const [product] = await productsOf(t, main);
    await disableAutoTopUp(t, main);
    t.control(await callAutoTopUp(t, main, { product, threshold: thresholdCents }), "enabling auto top-up");
    const before = await balanceOf(tenant);
    const exchanges: readonly Exchange[] = await Promise.all(
      Array.from({ length: crossingCharges }, () => callBrand(t, main)),
    );
    for (const exchange of exchanges) t.control(unhindered(exchange), "registering a brand");
    const left = before - crossingCharges * brandPriceMicros;
    const wanted = left + product.cents * microsInCent;
    await balanceOncePaid(t, tenant, (balance) => balance === wanted);
    // A second payment may follow a moment later.
    const after = await settledBalance(t, tenant);
    t.equal("BIL-25", `the wallet after ${crossingCharges} brands at once`, after, wanted, ...exchanges);
  },
});
