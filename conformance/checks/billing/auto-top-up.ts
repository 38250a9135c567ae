import { organizationState } from "../../arrangements/organization-state.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { errorOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import type { Tenant } from "../../provision/tenant.ts";
import { answeredBy, hasCodeOf } from "../../steps/answered-by.ts";
import { asTimePasses } from "../../steps/as-time-passes.ts";
import {
  balanceOncePaid,
  callAutoTopUp,
  disableAutoTopUp,
  isDisabled,
  microsInCent,
  oncePaid,
  productsOf,
  settledBalance,
  understoodTopUp,
  unlessOn,
  usualThreshold,
} from "../../steps/billing.ts";
import { brandPriceMicros, registerBrand } from "../../steps/brand.ts";
import { judgeConcurrentCalls } from "../../steps/concurrent-calls.ts";
import { leftAsItWas, untilAtRest, watchingEffects } from "../../steps/effect-of.ts";
import { balanceOf, balanceOnce, callLookup, makeLookup, priceOf } from "../../steps/lookup.ts";

/** Auto top-up that is enabled, enabled again, disabled and enabled once more. */
export const enabling = check({
  id: "billing.auto-top-up",
  title: "Auto top-up can be enabled while it is disabled, and not while it is enabled, which it stays",
  rules: ["BIL-06", "BIL-07", "BIL-10", "BIL-27"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const [product, other = product] = await productsOf(t, main);
    const wish = { product, threshold: usualThreshold };
    // Whether that takes other values is open, and that what is refused changes nothing is not.
    const wishes = [wish, wish, wish, { product: other, threshold: 2 * usualThreshold }];
    const atFirst = await disableAutoTopUp(t, main);
    for (const isFirst of [true, false]) {
      const enabled = unlessOn(understoodTopUp(await callAutoTopUp(t, main, wish)), [atFirst]);
      t.verify(isFirst ? "BIL-06" : "BIL-27", isSuccess(enabled), {
        expected: isFirst ? "auto top-up enabled" : "auto top-up enabled again after it was disabled",
        actual: summaryOf(enabled),
        exchanges: [enabled],
      });
      if (!isSuccess(enabled)) return;
      for (const again of wishes) {
        const conflict = tenant.can(organizationState)
          ? await effectOf(tenant, () => callAutoTopUp(t, main, again))
          : { exchange: await callAutoTopUp(t, main, again), before: null, after: null };
        const { exchange, before, after } = conflict;
        if (again !== wish && !answeredBy(exchange, "Conflict")) continue;
        if (t.refused("BIL-07", exchange, "Conflict"))
          t.equal("BIL-10", "error.details", errorOf(exchange)?.details, undefined, exchange);
        if (before !== null) leftAsItWas(t, "BIL-07", { before, after }, exchange);
      }
      const disabled = await callAutoTopUp(t, main, null);
      t.verify("BIL-27", isSuccess(disabled), {
        expected: "auto top-up disabled",
        actual: summaryOf(disabled),
        exchanges: [disabled],
      });
      if (!isSuccess(disabled)) return;
    }
    // Whatever that is answered, it can be enabled afterwards.
    await disableAutoTopUp(t, main);
    t.accepted("BIL-06", await callAutoTopUp(t, main, wish));
    // A given organization should not go on paying.
    await disableAutoTopUp(t, main);
  }),
});

/** Auto top-up that was enabled long ago. */
export const lasting = check({
  id: "billing.auto-top-up-lasts",
  title: "Auto top-up stays enabled until it is disabled",
  rules: ["BIL-07"],
  kind: "scenario",
  needs: ["manual-clock"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const [product] = await productsOf(t, main);
    const wish = { product, threshold: usualThreshold };
    const atFirst = await disableAutoTopUp(t, main);
    t.control(unlessOn(understoodTopUp(await callAutoTopUp(t, main, wish)), [atFirst]), "enabling auto top-up");
    await asTimePasses(tenant, "auto top-up", async () =>
      t.refused("BIL-07", await callAutoTopUp(t, main, wish), "Conflict"),
    );
    await disableAutoTopUp(t, main);
  },
});

/** Calls that enable auto top-up at once, and times that they do. */
const [callers, rounds] = [4, 2] as const;

/** Auto top-up that is enabled by several at once. */
export const enabledAtOnce = check({
  id: "billing.auto-top-up-at-once",
  title: "Of calls that enable auto top-up at once, one succeeds at most",
  rules: ["BIL-07"],
  kind: "scenario",
  needs: ["fresh-organization"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const [product] = await productsOf(t, main);
    for (let round = 1; round <= rounds; round += 1) {
      // It may be enabled from the beginning, or for good: then there is room for none.
      const disabled = await disableAutoTopUp(t, main);
      if (!isDisabled(disabled)) throw new NotApplicable(`to disable auto top-up was answered ${summaryOf(disabled)}`);
      const enable = () => callAutoTopUp(t, main, { product, threshold: usualThreshold });
      judgeConcurrentCalls(t, {
        exchanges: (await Promise.all(Array.from({ length: callers }, enable))).map(understoodTopUp),
        noun: "calls that enable auto top-up",
        room: 1,
        isRefusal: (exchange) => answeredBy(exchange, "Conflict"),
        admits: "BIL-07",
        refuses: "BIL-07",
        // Nothing says that calls which meet must not stand in each other's way.
        warnOnly: { tooFew: true, tooMany: false },
      });
    }
    await disableAutoTopUp(t, main);
  },
});

/** What is charged while auto top-up is enabled. */
export const paying = check({
  id: "billing.auto-top-up-pays",
  title: "A charge that leaves less than the threshold tops the wallet up once, and no other charge does",
  rules: ["BIL-25"],
  kind: "scenario",
  needs: ["state", "wallet"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const usual = await priceOf(t, await (await t.tenant({ clock: "manual" })).main());
    // Three lookups more than the threshold covers: one to see what this organization pays, and the third after it crosses.
    const threshold = 100;
    const covered = threshold * microsInCent + 3 * usual;
    const tenant = await t.otherTenant({ clock: "manual", wallet_micros: covered });
    const main = await tenant.main();
    const [product] = await productsOf(t, main);
    await disableAutoTopUp(t, main);
    const price = await priceOf(t, main);
    t.control(await callAutoTopUp(t, main, { product, threshold }), "enabling auto top-up");
    for (let lookup = 1; lookup <= 4; lookup += 1) {
      const before = await balanceOf(tenant);
      const { exchange } = await makeLookup(t, main);
      const crosses = before - price < threshold * microsInCent && before >= threshold * microsInCent;
      const wanted = before - price + (crosses ? product.cents * microsInCent : 0);
      const after = await balanceOncePaid(t, tenant, (balance) => balance === wanted);
      t.equal("BIL-25", `the wallet after lookup ${lookup}`, after, wanted, exchange);
    }
    // Once it is disabled, nothing comes of itself.
    t.control(await callAutoTopUp(t, main, null), "disabling auto top-up");
    const rest = await balanceOf(tenant);
    const { exchange } = await makeLookup(t, main);
    const after = await balanceOnce(t, tenant, (balance) => balance === rest - price);
    t.equal("BIL-25", "the wallet after a lookup with auto top-up disabled", after, rest - price, exchange);
    await judgeOther(t, tenant, price);
  },
});

/** Enables auto top-up by another product than it had before, and has a lookup cross its threshold. */
async function judgeOther(t: CheckContext<"BIL-25">, tenant: Tenant, price: number): Promise<void> {
  const main = await tenant.main();
  const [, other] = await productsOf(t, main);
  if (other === undefined) return;
  const before = await balanceOf(tenant);
  // The lookup leaves less than the threshold, which the wallet holds so far.
  const threshold = Math.floor(before / microsInCent);
  t.control(await callAutoTopUp(t, main, { product: other, threshold }), "enabling auto top-up by another product");
  // What is topped up at once, where a target takes it for due, tells nothing of the product.
  if ((await balanceOf(tenant)) === before && before - price < threshold * microsInCent) {
    const { exchange } = await makeLookup(t, main);
    const wanted = before - price + other.cents * microsInCent;
    const after = await balanceOncePaid(t, tenant, (balance) => balance === wanted);
    t.equal("BIL-25", "the wallet after a lookup, with another product than before", after, wanted, exchange);
  }
  await disableAutoTopUp(t, main);
}

/** Times that a wallet comes below its threshold, and brands that are registered at most until it has. */
const [crossings, mostBrands] = [2, 6] as const;

/** Charges of another kind, which bring a wallet below its threshold again and again. */
export const payingAgain = check({
  id: "billing.auto-top-up-pays-again",
  title: "Each charge that leaves less than the threshold tops the wallet up, whatever it is for",
  rules: ["BIL-25"],
  kind: "scenario",
  needs: ["state", "wallet", "reseller-mode"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    // The first brand leaves less than the threshold, and with whatever product is added the next one is covered.
    const wish = { clock: "manual", is_reseller: true, wallet_micros: 2 * brandPriceMicros - microsInCent } as const;
    const tenant = await t.otherTenant(wish);
    const main = await tenant.main();
    const [product] = await productsOf(t, main);
    await disableAutoTopUp(t, main);
    const threshold = brandPriceMicros / microsInCent;
    t.control(await callAutoTopUp(t, main, { product, threshold }), "enabling auto top-up");
    let crossed = 0;
    for (let brand = 1; crossed < crossings && brand <= mostBrands; brand += 1) {
      const before = await balanceOf(tenant);
      const { exchange } = await registerBrand(t, main);
      const left = before - brandPriceMicros;
      const crosses = left < brandPriceMicros && before >= brandPriceMicros;
      if (crosses) crossed += 1;
      const wanted = left + (crosses ? product.cents * microsInCent : 0);
      const after = await balanceOncePaid(t, tenant, (balance) => balance === wanted);
      t.equal("BIL-25", `the wallet after brand ${brand}`, after, wanted, exchange);
      if (after !== wanted) break;
    }
    t.control(await callAutoTopUp(t, main, null), "disabling auto top-up");
    for (let brand = 1; brand <= mostBrands; brand += 1) {
      const left = (await balanceOf(tenant)) - brandPriceMicros;
      if (left < 0) break;
      const { exchange } = await registerBrand(t, main);
      // Its charge may come later than the answer.
      await untilAtRest(t, tenant);
      if (left >= brandPriceMicros) continue;
      const after = await settledBalance(t, tenant);
      t.equal("BIL-25", "the wallet below the threshold, with auto top-up disabled", after, left, exchange);
      break;
    }
  },
});

/** A wallet that does not cover a lookup until auto top-up is enabled. */
export const curing = check({
  id: "billing.auto-top-up-cures",
  title: "To enable auto top-up cures a wallet that does not cover a charge",
  rules: ["BIL-26"],
  kind: "scenario",
  needs: ["wallet"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual", wallet_micros: 0 });
    const main = await tenant.main();
    const refused = await callLookup(t, main);
    if (!hasCodeOf(refused, "InsufficientCredit"))
      throw new Blocked(`a lookup without money was answered ${summaryOf(refused)}`, "see LKP-06 first", "server");
    const products = await productsOf(t, main);
    const largest = products.at(-1) ?? products[0];
    await disableAutoTopUp(t, main);
    t.control(await callAutoTopUp(t, main, { product: largest, threshold: products[0].cents }), "enabling auto top-up");
    let last = await callLookup(t, main);
    if (!isSuccess(last))
      await oncePaid(t, tenant, async () => {
        last = await callLookup(t, main);
        return isSuccess(last) ? true : null;
      });
    t.verify("BIL-26", isSuccess(last), {
      expected: "the lookup, now that auto top-up is enabled",
      actual: summaryOf(last),
      exchanges: [refused, last],
    });
  },
});
