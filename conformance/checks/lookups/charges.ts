import { randomUUID } from "node:crypto";
import { outage } from "../../arrangements/outage.ts";
import { signedInUser } from "../../arrangements/signed-in-user.ts";
import { userOf } from "../../context/caller-of.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { errorOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy, hasCodeOf } from "../../steps/answered-by.ts";
import { leftAsItWas, untilAtRest, watchingEffects } from "../../steps/effect-of.ts";
import { balanceOf, balanceOnce, callLookup, makeLookup, priceOf } from "../../steps/lookup.ts";
import { refusesCaller } from "../../steps/send-forms.ts";
import { eventually } from "../../steps/settle.ts";

/** What a lookup costs. */
export const charge = check({
  id: "lookups.charge",
  title: "A successful lookup is charged",
  rules: ["LKP-05"],
  kind: "scenario",
  needs: ["state"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    // More than once: the first could be free, or the only one that is charged.
    const user = tenant.can(signedInUser) ? await userOf(tenant) : null;
    for (const [index, number] of t.numbers("united_states").entries()) {
      const before = await balanceOf(tenant);
      // Whether users may look up is open; what they do costs what it costs.
      const users = user !== null && index === 1 ? await callLookup(t, user, { number }) : null;
      const exchange = users !== null && isSuccess(users) ? users : (await makeLookup(t, main, { number })).exchange;
      const charged = await eventually(t, tenant, async () => ((await balanceOf(tenant)) < before ? true : null));
      t.verify("LKP-05", charged === true, {
        expected: `less in the wallet after lookup ${index + 1} than before`,
        actual: `${await balanceOf(tenant)} after ${before} millionths of a US dollar`,
        exchanges: [exchange],
        // Others may top up meanwhile.
        warnOnly: !tenant.own,
      });
    }
  },
});

/** Lookups that the wallet does not cover. */
export const uncovered = check({
  id: "lookups.uncovered",
  title: "A lookup that the wallet does not cover is refused, and changes nothing",
  rules: ["LKP-06"],
  kind: "scenario",
  needs: ["state", "wallet"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const rich = await t.tenant({ clock: "manual" });
    const prices: number[] = [];
    for (let lookups = 1; lookups <= mostLookups; lookups += 1) prices.push(await priceOf(t, await rich.main()));
    const [price = 0] = prices;
    // What lookups in a row cost is open: where they cost unlike, what is left may not cover the next one.
    const isSteady = prices.every((one) => one === price);
    for (const wallet_micros of [0, 2 * price - 1, 2 * price]) {
      const poor = await t.otherTenant({ clock: "manual", wallet_micros });
      const main = await poor.main();
      if (!(await spend(t, main, isSteady))) continue;
      for (const wish of [{}, { key: randomUUID() }]) {
        const { exchange, before, after } = await effectOf(poor, () => callLookup(t, main, wish));
        t.refused("LKP-06", exchange, "InsufficientCredit");
        t.equal("LKP-06", "error.details", errorOf(exchange)?.details, undefined, exchange);
        leftAsItWas(t, "LKP-06", { before, after }, exchange);
      }
      const user = poor.can(signedInUser) ? await userOf(poor) : null;
      const users = user === null ? null : await callLookup(t, user);
      if (users !== null && !refusesCaller(users)) t.refused("LKP-06", users, "InsufficientCredit");
    }
  }),
});

/** Lookups in a row that may be needed to spend what two cost in another organization. */
const mostLookups = 4;

/**
 * Looks up until the wallet does not cover what a lookup has cost the same organization, since others may pay something
 * else. False where that takes too many. What covers the last one is to cover the next where prices are steady.
 */
async function spend(t: CheckContext<"LKP-06">, main: Credential, isSteady: boolean): Promise<boolean> {
  let left = await balanceOf(main.tenant);
  let cost = left === 0 ? 1 : 0;
  for (let lookups = 0; left >= cost && lookups < mostLookups; lookups += 1) {
    const exchange = await callLookup(t, main);
    // How dear the first one is, nobody knows.
    if (cost === 0 && answeredBy(exchange, "InsufficientCredit")) return true;
    t.verify("LKP-06", !answeredBy(exchange, "InsufficientCredit"), {
      expected: `a lookup for ${cost} millionths of a US dollar, of which there are ${left}`,
      actual: summaryOf(exchange),
      exchanges: [exchange],
      warnOnly: !isSteady,
    });
    t.control(exchange, "a lookup that the wallet covers");
    const before = left;
    left = await balanceOnce(t, main.tenant, (balance) => balance < before);
    cost = before - left;
    if (cost <= 0) throw new Blocked("a lookup was charged nothing", "see LKP-05 first", "server");
  }
  return left < cost;
}

/** Lookups that the platform cannot complete. */
export const failure = check({
  id: "lookups.failure",
  title: "A lookup that the platform cannot complete says so, and its charge is returned",
  rules: ["LKP-07", "LKP-08"],
  kind: "scenario",
  needs: ["outage", "state"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    await makeLookup(t, main);
    // Its charge may come later than the answer.
    await untilAtRest(t, tenant);
    for (const wish of [{}, {}, { key: randomUUID() }]) {
      const before = await balanceOf(tenant);
      await tenant.arrange(outage, { kind: "lookup", calls: 1 });
      const exchange = await callLookup(t, main, wish);
      t.refused("LKP-07", exchange, "LookupFailed");
      t.equal("LKP-07", "error.details", errorOf(exchange)?.details, undefined, exchange);
      const returned = await eventually(t, tenant, async () => ((await balanceOf(tenant)) === before ? true : null));
      t.verify("LKP-08", returned === true, {
        expected: `${before} millionths of a US dollar in the wallet, as before`,
        actual: String(await balanceOf(tenant)),
        exchanges: [exchange],
        // Others may pay meanwhile.
        warnOnly: !tenant.own,
      });
    }
  },
});

/** The same of what was left of the wallet. */
export const failureOfLastCredit = check({
  id: "lookups.failure-of-last-credit",
  title: "A lookup that the platform cannot complete has its charge returned where that was all that the wallet held",
  rules: ["LKP-08"],
  kind: "scenario",
  needs: ["outage", "state", "wallet"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const rich = await t.tenant({ clock: "manual" });
    const full = await balanceOf(rich);
    await makeLookup(t, await rich.main());
    await untilAtRest(t, rich);
    const price = full - (await balanceOf(rich));
    if (price <= 0) throw new NotApplicable("a lookup costs nothing");
    const poor = await t.otherTenant({ clock: "manual", wallet_micros: price });
    const main = await poor.main();
    await poor.arrange(outage, { kind: "lookup", calls: 1 });
    const exchange = await callLookup(t, main, {});
    // Organizations may differ in what they pay.
    if (!hasCodeOf(exchange, "LookupFailed")) throw new NotApplicable(`the lookup was answered ${summaryOf(exchange)}`);
    const returned = await eventually(t, poor, async () => ((await balanceOf(poor)) === price ? true : null));
    t.verify("LKP-08", returned === true, {
      expected: `${price} millionths of a US dollar in the wallet, as before`,
      actual: String(await balanceOf(poor)),
      exchanges: [exchange],
    });
  },
});

/** Charges of concurrent lookups. */
export const chargesAtOnce = check({
  id: "lookups.charges-at-once",
  title: "Each of several concurrent lookups is charged",
  rules: ["LKP-05"],
  kind: "scenario",
  needs: ["state"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    // A price may change with the number of lookups, in either direction.
    const first = await priceOf(t, main);
    await untilAtRest(t, tenant);
    const before = await balanceOf(tenant);
    const exchanges = await Promise.all(t.numbers("united_states").map((number) => callLookup(t, main, { number })));
    const made = exchanges.filter(isSuccess);
    if (made.length < 2)
      throw new Blocked(
        `${made.length} of ${exchanges.length} concurrent lookups were made`,
        "see how the target fares under some calls at once",
        "server",
      );
    const isCharged = (balance: number): boolean => before - balance >= made.length * first;
    await balanceOnce(t, tenant, isCharged);
    await untilAtRest(t, tenant);
    const cost = before - (await balanceOf(tenant));
    const least = Math.min(first, await priceOf(t, main)) * made.length;
    t.verify("LKP-05", cost >= least, {
      expected: `at least ${least} millionths of a US dollar charged for ${made.length} concurrent lookups`,
      actual: String(cost),
      exchanges: made,
      // Other callers may top up meanwhile.
      warnOnly: !tenant.own,
    });
  },
});

/** Concurrent lookups that all fail. */
const failuresAtOnce = 4;

/** Refunds of concurrent lookups that the platform cannot complete. */
export const concurrentFailures = check({
  id: "lookups.concurrent-failures",
  title: "The server refunds all concurrent lookups that the platform cannot complete",
  rules: ["LKP-08"],
  kind: "scenario",
  needs: ["outage", "state"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    await makeLookup(t, main);
    // The charge may come later than the response.
    await untilAtRest(t, tenant);
    const before = await balanceOf(tenant);
    await tenant.arrange(outage, { kind: "lookup", calls: failuresAtOnce });
    const exchanges = await Promise.all(Array.from({ length: failuresAtOnce }, () => callLookup(t, main)));
    const failed = exchanges.filter((exchange) => answeredBy(exchange, "LookupFailed"));
    if (failed.length < exchanges.length)
      throw new Blocked(
        `${failed.length} of ${exchanges.length} concurrent lookups failed as arranged`,
        "see LKP-07 first",
        "server",
      );
    const returned = await eventually(t, tenant, async () => ((await balanceOf(tenant)) === before ? true : null));
    t.verify("LKP-08", returned === true, {
      expected: `${before} millionths of a US dollar in the wallet after ${failed.length} concurrent failures, as before`,
      actual: String(await balanceOf(tenant)),
      exchanges: failed.slice(0, 2),
      // Other callers may pay meanwhile.
      warnOnly: !tenant.own,
    });
  },
});
