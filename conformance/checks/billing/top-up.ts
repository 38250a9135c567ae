import { organizationState } from "../../arrangements/organization-state.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { hasCodeOf } from "../../steps/answered-by.ts";
import {
  addedBy,
  callAutoTopUp,
  callTopUp,
  creditedBy,
  disableAutoTopUp,
  microsInCent,
  oncePaid,
  type Product,
  productsOf,
  topUp,
  unlessPaidElsewhere,
  unlessUnpaid,
  usualThreshold,
} from "../../steps/billing.ts";
import { isRefused } from "../../steps/endpoint.ts";
import { balanceOf, callLookup } from "../../steps/lookup.ts";

/** What top-ups bring. */
export const credit = check({
  id: "billing.top-up-credit",
  title: "A top-up adds the amount of its product to the wallet of its organization, and to no other",
  rules: ["BIL-23", "BIL-29"],
  kind: "scenario",
  needs: ["state", "fresh-organization"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const stranger = await t.otherTenant({ clock: "manual" });
    const theirs = await balanceOf(stranger);
    const products = await productsOf(t, main);
    const judge = async (product: Product): Promise<void> => {
      const { exchange, added } = await addedBy(t, main, () => topUp(t, main, product));
      t.equal("BIL-23", "what a top-up adds", added, product.cents * microsInCent, exchange);
      t.equal("BIL-29", "the wallet of another organization", await balanceOf(stranger), theirs, exchange);
    };
    // The smallest twice: a second one like the first is another one.
    for (const product of [products[0], ...products]) await judge(product);
    await judgeTogether(t, main, products[0]);
    // A wallet above the threshold is not topped up of itself.
    const wish = { product: products[0], threshold: usualThreshold };
    if ((await balanceOf(tenant)) < usualThreshold * microsInCent || !isSuccess(await callAutoTopUp(t, main, wish)))
      return;
    await judge(products[0]);
    await disableAutoTopUp(t, main);
  },
});

/** Top-ups that are sent at once. */
const together = 4;

/** Tops a wallet up several times at once, and sees that it gets as much as was taken. */
async function judgeTogether(t: CheckContext<"BIL-23">, as: Credential, product: Product): Promise<void> {
  const before = await balanceOf(as.tenant);
  const exchanges = await Promise.all(Array.from({ length: together }, () => callTopUp(t, as, product.id)));
  // What was lost may have been taken, and nothing says that those which meet must not stand in each other's way.
  if (exchanges.some(({ outcome }) => outcome.kind === "lost")) return;
  const taken = exchanges.filter(isSuccess);
  const wanted = before + taken.length * product.cents * microsInCent;
  const after = await creditedBy(t, as.tenant, taken, (balance) => balance === wanted, before);
  t.equal("BIL-23", `the wallet after ${taken.length} top-ups at once`, after, wanted, ...taken);
}

/** A wallet that does not cover a lookup, before and after a top-up. */
export const cure = check({
  id: "billing.top-up-cures",
  title: "A top-up cures a wallet that does not cover a charge",
  rules: ["BIL-11"],
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
    // Whatever a lookup costs, the largest covers it if any of them does.
    const toppedUp = await topUp(t, main, products.at(-1) ?? products[0]);
    let last = await callLookup(t, main);
    if (hasCodeOf(last, "InsufficientCredit"))
      await oncePaid(t, tenant, async () => {
        last = await callLookup(t, main);
        return hasCodeOf(last, "InsufficientCredit") ? null : true;
      });
    if (hasCodeOf(last, "InsufficientCredit")) unlessUnpaid(toppedUp);
    t.verify("BIL-11", !hasCodeOf(last, "InsufficientCredit"), {
      expected: "a lookup that is not refused for the wallet, after a top-up",
      actual: summaryOf(last),
      exchanges: [refused, toppedUp, last],
    });
  },
});

/** Products that no target has. */
const noProducts = ["no-such-product", ""] as const;

/** Top-ups by what is no product. */
export const unknownProduct = check({
  id: "billing.unknown-product",
  title: "A top-up by a product that does not exist is refused",
  rules: ["BIL-28"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const [smallest] = await productsOf(t, main);
    t.control(await callTopUp(t, main, smallest.id), "a top-up");
    const balance = async (): Promise<number> => (tenant.can(organizationState) ? balanceOf(tenant) : 0);
    for (const product of noProducts) {
      const before = await balance();
      const exchange = await callTopUp(t, main, product);
      // A page on which the top-up is to be paid may refuse the product later.
      if (isSuccess(exchange) && (await balance()) <= before) unlessPaidElsewhere(exchange);
      t.verify("BIL-28", isRefused(exchange), {
        expected: `a refusal of the product ${JSON.stringify(product)}`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
    }
  },
});
