import { organizationState } from "../../arrangements/organization-state.ts";
import { outage } from "../../arrangements/outage.ts";
import { check } from "../../context/check.ts";
import { dataOf, errorOf, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import {
  balanceOncePaid,
  callAutoTopUp,
  callTopUp,
  disableAutoTopUp,
  havePaid,
  oncePaid,
  openPortal,
  productsOf,
  topUp,
  unlessUnpaid,
  usualThreshold,
} from "../../steps/billing.ts";
import { callBrand } from "../../steps/brand.ts";
import { untilAtRest } from "../../steps/effect-of.ts";
import { isRefused } from "../../steps/endpoint.ts";
import { balanceOf, callLookup } from "../../steps/lookup.ts";
import { overYear } from "../../steps/over-year.ts";
import { eventually } from "../../steps/settle.ts";
import { withoutEffect } from "../../steps/without-effect.ts";

/** A product that no target has. */
const noProduct = "no-such-product";

/** An organization that has never had any money, is refused what costs some, and then pays. */
export const customer = check({
  id: "billing.portal-customer",
  title: "The billing portal is for organizations that have paid",
  rules: ["BIL-08", "BIL-10", "BIL-24", "BIL-33"],
  kind: "scenario",
  needs: ["wallet", "lifetime-spend"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual", wallet_micros: 0, lifetime_spend_micros: 0 });
    const main = await tenant.main();
    const [smallest] = await productsOf(t, main);
    const unknown = { product: { ...smallest, id: noProduct }, threshold: usualThreshold };
    // Who was refused has paid nothing.
    const refusals = [
      null,
      () => callTopUp(t, main, noProduct),
      () => callAutoTopUp(t, main, unknown),
      () => callLookup(t, main),
    ];
    for (const refuse of refusals) {
      if (refuse !== null && !isRefused(await refuse())) break;
      for (let time = 1; time <= 2; time += 1) {
        const exchange = await openPortal(t, main);
        if (t.refused("BIL-08", exchange, "NoBillingCustomer"))
          t.equal("BIL-10", "error.details", errorOf(exchange)?.details, undefined, exchange);
      }
    }
    // Nor has who is ready to pay, as long as nothing was due.
    const isReady = isSuccess(await callAutoTopUp(t, main, { product: smallest, threshold: 0 }));
    if (isReady && tenant.can(organizationState)) {
      await untilAtRest(t, tenant);
      const exchange = await openPortal(t, main);
      if ((await balanceOf(tenant)) === 0) t.refused("BIL-08", exchange, "NoBillingCustomer");
    }
    await disableAutoTopUp(t, main);
    const paid = await topUp(t, main, smallest);
    let last = await openPortal(t, main);
    await oncePaid(t, tenant, async () => {
      if (!answeredBy(last, "NoBillingCustomer")) return true;
      last = await openPortal(t, main);
      return null;
    });
    if (answeredBy(last, "NoBillingCustomer")) unlessUnpaid(paid);
    t.verify("BIL-24", !answeredBy(last, "NoBillingCustomer"), {
      expected: "anything but a refusal for never having paid, after a top-up",
      actual: summaryOf(last),
      exchanges: [paid, last],
    });
    // Nor does it matter what is left of what was paid, nor what was done last.
    const deeds = [
      { after: "what was paid is spent", does: () => callBrand(t, main) },
      { after: "another top-up", does: () => callTopUp(t, main, smallest.id) },
      { after: "a part of it is spent", does: () => callLookup(t, main) },
    ];
    for (const { after, does } of deeds) {
      const done = await does();
      if (!isSuccess(done)) break;
      last = await openPortal(t, main);
      const left = tenant.can(organizationState) ? `, ${await balanceOf(tenant)} millionths of a US dollar left` : "";
      t.verify("BIL-24", !answeredBy(last, "NoBillingCustomer"), {
        expected: `anything but a refusal for never having paid, after ${after}${left}`,
        actual: summaryOf(last),
        exchanges: [paid, done, last],
      });
    }
    // Nor when it was.
    if (tenant.manualClock) {
      await tenant.advance(overYear, "a payment to be more than a year old");
      last = await openPortal(t, main);
      t.verify("BIL-24", !answeredBy(last, "NoBillingCustomer"), {
        expected: "anything but a refusal for never having paid, more than a year after a top-up",
        actual: summaryOf(last),
        exchanges: [paid, last],
      });
    }
    if (!isSuccess(last))
      throw new Blocked(`the billing portal was answered ${summaryOf(last)}`, "see why it cannot be opened", "server");
    const { url } = objectOf(t.shapeResponse("openBillingPortal", dataOf(last))) ?? {};
    t.verify("BIL-33", typeof url === "string" && URL.canParse(url), {
      expected: "the address of the portal",
      actual: JSON.stringify(url) ?? "none",
      exchanges: [last],
    });
  },
});

/** An organization without money that auto top-up gives some, and that has paid in no other way. */
export const ownCustomer = check({
  id: "billing.portal-auto-top-up",
  title: "The billing portal is for organizations, too, that have paid by auto top-up alone",
  rules: ["BIL-24"],
  kind: "scenario",
  needs: ["wallet", "lifetime-spend", "state"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual", wallet_micros: 0, lifetime_spend_micros: 0 });
    const main = await tenant.main();
    const [product] = await productsOf(t, main);
    await disableAutoTopUp(t, main);
    const enabled = await callAutoTopUp(t, main, { product, threshold: usualThreshold });
    // When auto top-up pays is open; that an empty wallet is below any threshold is not.
    const added = isSuccess(enabled) ? await balanceOncePaid(t, tenant, (balance) => balance > 0) : 0;
    if (added === 0)
      throw new NotApplicable(`auto top-up of an empty wallet was answered ${summaryOf(enabled)}, and paid nothing`);
    let last = await openPortal(t, main);
    await eventually(t, tenant, async () => {
      if (!answeredBy(last, "NoBillingCustomer")) return true;
      last = await openPortal(t, main);
      return null;
    });
    t.verify("BIL-24", !answeredBy(last, "NoBillingCustomer"), {
      expected: "anything but a refusal for never having paid, after auto top-up has paid",
      actual: summaryOf(last),
      exchanges: [enabled, last],
    });
  },
});

/** Portals that cannot be opened. */
export const unavailable = check({
  id: "billing.portal-unavailable",
  title: "A portal that cannot be opened says so, and the next one opens",
  rules: ["BIL-09", "BIL-10"],
  kind: "scenario",
  needs: ["outage"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    await havePaid(t, main);
    t.control(await openPortal(t, main), "opening the portal");
    for (const calls of [1, 2]) {
      await tenant.arrange(outage, { kind: "billing_portal", calls });
      for (let call = 1; call <= calls; call += 1) {
        const exchange = await openPortal(t, main);
        if (t.refused("BIL-09", exchange, "BillingPortalUnavailable"))
          t.equal("BIL-10", "error.details", errorOf(exchange)?.details, undefined, exchange);
      }
      t.control(await openPortal(t, main), "opening the portal after it was not available");
    }
  },
});

/** What a portal leaves behind that is not opened. */
export const refusedPortal = withoutEffect({
  operation: "openBillingPortal",
  row: "NoBillingCustomer",
  needs: ["wallet", "lifetime-spend"],
  effects: ["creates"],
  draws: {},
  async begin(t) {
    const tenant = await t.tenant({ clock: "manual", wallet_micros: 0, lifetime_spend_micros: 0 });
    const main = await tenant.main();
    return { tenant, send: () => openPortal(t, main) };
  },
});
