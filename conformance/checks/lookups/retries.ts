import { randomUUID } from "node:crypto";
import { operations } from "../../../generated/operations.ts";
import { outage } from "../../arrangements/outage.ts";
import { signedInUser } from "../../arrangements/signed-in-user.ts";
import { userOf } from "../../context/caller-of.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy, hasCodeOf } from "../../steps/answered-by.ts";
import { untilAtRest } from "../../steps/effect-of.ts";
import { isRefused } from "../../steps/endpoint.ts";
import { judgeExisting } from "../../steps/existing-lookup.ts";
import { likeKeys } from "../../steps/like-keys.ts";
import {
  balanceOf,
  balanceOnce,
  callLookup,
  lookupIn,
  type MadeLookup,
  makeLookup,
  paid,
  priceOf,
  shownIn,
} from "../../steps/lookup.ts";
import { isSameId } from "../../steps/settle.ts";

/** The same call again, with its key. */
export const retry = check({
  id: "lookups.retry",
  title: "A retry with the same key returns the existing lookup, and another key makes another one",
  rules: ["LKP-09", "LKP-16", "LKP-17"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const [number, otherNumber] = t.numbers("united_states");
    const tenant = await t.tenant();
    const main = await tenant.main();
    const key = randomUUID();
    const first = await makeLookup(t, main, { number, key });
    const other = await makeLookup(t, main, { number, key: randomUUID() });
    t.verify("LKP-16", !isSameId(other.id, first.id), {
      expected: "another lookup for another key",
      actual: `the lookup ${other.id}`,
      exchanges: [first.exchange, other.exchange],
    });
    for (const alike of likeKeys(randomUUID())) {
      const [theirs, its] = [
        await callLookup(t, main, { number, key: alike.one }),
        await callLookup(t, main, { number, key: alike.other }),
      ];
      const ids = [theirs, its].map((each) => (isSuccess(each) ? shownIn(t, "createLookup", each).id : null));
      // Which keys there are is open: one may be refused for how it is written.
      if (ids.includes(null)) continue;
      t.verify("LKP-16", !isSameId(ids[0], ids[1]), {
        expected: `another lookup for a key that differs ${alike.by}`,
        actual: `the lookup ${ids[1]} for both`,
        exchanges: [theirs, its],
        warnOnly: alike.isVague,
      });
    }
    const keyless = await makeLookup(t, main, { number });
    t.verify("LKP-16", !isSameId(keyless.id, first.id), {
      expected: "another lookup for a call without a key",
      actual: `the lookup ${keyless.id}`,
      exchanges: [first.exchange, keyless.exchange],
      // The rule speaks of another key; who has none may be told what is known of the number.
      warnOnly: true,
    });
    // The case of a header's name tells nothing (RFC 9110, 5.1), nor may a proxy keep it.
    const { idempotencyHeader } = operations.createLookup;
    for (const header of [idempotencyHeader, idempotencyHeader.toLowerCase(), idempotencyHeader.toUpperCase()])
      judgeExisting(t, first, await callLookup(t, main, { number, key, header }));
    const changed = await callLookup(t, main, { number: otherNumber, key });
    judgeChanged(t, first, changed);
    judgeExisting(t, first, await callLookup(t, main, { number, key }));
    if (!tenant.can(signedInUser)) return;
    const user = await userOf(tenant);
    const wish = { number, key: randomUUID() };
    const theirs = await callLookup(t, user, wish);
    // Which operations users may call but their own is open.
    if (isSuccess(theirs)) judgeExisting(t, lookupIn(t, theirs), await callLookup(t, user, wish));
  },
});

/** Decides what a call with the same key and another number returns. */
function judgeChanged(t: CheckContext<"LKP-17">, first: MadeLookup, changed: Exchange): void {
  const { id } = isSuccess(changed) ? shownIn(t, "createLookup", changed) : { id: null };
  // A server need not compare the bodies of calls with one key (Q98).
  if (isSameId(id, first.id)) {
    t.observe("LKP-17", "another number with the same key returns the first lookup", first.exchange, changed);
    return;
  }
  t.verify("LKP-17", isRefused(changed), {
    expected: "a refusal of another number with the same key, or the first lookup",
    actual: summaryOf(changed),
    exchanges: [first.exchange, changed],
  });
}

/** What retries cost, and what other keys do. */
export const retryCharge = check({
  id: "lookups.retry-charge",
  title: "A retry with the same key is not charged again, and another key is",
  rules: ["LKP-10", "LKP-16"],
  kind: "scenario",
  needs: ["state"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const [number] = t.numbers("united_states");
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const key = randomUUID();
    const price = await priceOf(t, main, { number, key });
    const after = await balanceOf(tenant);
    const retries: Exchange[] = [];
    for (let count = 1; count <= 3; count += 1) retries.push(await callLookup(t, main, { number, key }));
    // A charge may come later than the answer.
    await untilAtRest(t, tenant);
    const left = await balanceOf(tenant);
    t.verify("LKP-10", left === after, {
      expected: `${after} millionths of a US dollar in the wallet, as before the retries`,
      actual: String(left),
      exchanges: retries,
      // Others may pay meanwhile.
      warnOnly: !tenant.own,
    });
    const { exchange } = await makeLookup(t, main, { number, key: randomUUID() });
    const charged = left - (await balanceOnce(t, tenant, (balance) => balance < left));
    // How much is open: a price may depend on how many lookups there were.
    t.verify("LKP-16", charged > 0, {
      expected: "another key to be charged",
      actual: `${charged} charged, and ${price} for the first`,
      exchanges: [exchange],
      warnOnly: !tenant.own,
    });
  },
});

/** The same call again after the platform failed. */
export const retryAfterFailure = check({
  id: "lookups.retry-after-failure",
  title: "A retry of a lookup that failed returns its result or makes it, and is charged once in all",
  rules: ["LKP-09", "LKP-10"],
  kind: "scenario",
  needs: ["outage", "state"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const [number] = t.numbers("united_states");
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const price = await priceOf(t, main, { number });
    const before = await balanceOf(tenant);
    const key = randomUUID();
    await tenant.arrange(outage, { kind: "lookup", calls: 1 });
    const failed = await callLookup(t, main, { number, key });
    if (!hasCodeOf(failed, "LookupFailed"))
      throw new Blocked(`a failing lookup was answered ${summaryOf(failed)}`, "see LKP-07 first", "server");
    // What the first of both leaves charged is no matter of its retry.
    const left = await balanceOnce(t, tenant, (balance) => balance >= before);
    if (left < before && tenant.own)
      throw new Blocked(`a lookup that failed was charged ${before - left}`, "see LKP-08 first", "server");
    const again = await callLookup(t, main, { number, key });
    t.verify("LKP-09", isSuccess(again) || answeredBy(again, "LookupFailed"), {
      expected: "the same failure, or the lookup",
      actual: summaryOf(again),
      exchanges: [failed, again],
    });
    if (isSuccess(again)) judgeExisting(t, lookupIn(t, again), await callLookup(t, main, { number, key }));
    const isOnce = (cost: number): boolean => (isSuccess(again) ? cost < 2 * price : cost <= 0);
    const cost = before - (await balanceOnce(t, tenant, (balance) => isOnce(before - balance)));
    t.verify("LKP-10", isOnce(cost), {
      expected: isSuccess(again)
        ? `less charged in all than two lookups for ${price}`
        : "nothing charged for what failed",
      actual: `${cost} millionths of a US dollar`,
      exchanges: [failed, again],
      warnOnly: !tenant.own,
    });
  },
});

/** What has become of an organization since its lookup: it can pay no other, or the platform can make none. */
const needs = ["out of credit", "out of service"] as const;

/** The same call again when no other lookup would be made. */
export const retryInNeed = needs.map((need) =>
  check({
    id: need === "out of credit" ? "lookups.retry-without-credit" : "lookups.retry-in-outage",
    title: `A retry returns the existing lookup ${need === "out of credit" ? "where the wallet covers no other" : "while the platform can make no other"}`,
    rules: ["LKP-09"],
    kind: "scenario",
    needs: need === "out of credit" ? ["state", "wallet"] : ["outage"],
    effects: ["creates", "spends"],
    draws: {},
    async run(t) {
      const [number] = t.numbers("united_states");
      const rich = await t.tenant({ clock: "manual" });
      const isPoor = need === "out of credit";
      const wallet_micros = isPoor ? await priceOf(t, await rich.main(), { number }) : 0;
      const tenant = isPoor ? await t.otherTenant({ clock: "manual", wallet_micros }) : rich;
      const main = await tenant.main();
      const key = randomUUID();
      const first = await makeLookup(t, main, { number, key });
      if (isPoor) {
        await balanceOnce(t, tenant, (balance) => balance < wallet_micros);
        const other = await callLookup(t, main, { number });
        if (!hasCodeOf(other, "InsufficientCredit"))
          throw new Blocked(`a further lookup was answered ${summaryOf(other)}`, "see LKP-06 first", "server");
      } else await tenant.arrange(outage, { kind: "lookup", calls: 1 });
      judgeExisting(t, first, await callLookup(t, main, { number, key }));
      // What others ask for does not meet the outage.
      if (!isPoor) await callLookup(t, main, { number });
    },
  }),
);

const atOnce = 8;

/** Calls with one key that meet. */
export const concurrentRetries = check({
  id: "lookups.concurrent-retries",
  title: "Of calls with one key that arrive at once, one is charged",
  rules: ["LKP-14"],
  kind: "scenario",
  needs: ["state"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const [number] = t.numbers("united_states");
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const price = await priceOf(t, main, { number });
    for (let round = 1; round <= 3; round += 1) {
      const before = await balanceOf(tenant);
      const key = randomUUID();
      const calls = Array.from({ length: atOnce }, () => callLookup(t, main, { number, key }));
      const exchanges = await Promise.all(calls);
      const made = exchanges.filter(isSuccess);
      // A charge that comes late would be taken for one of the next round.
      const isCharged = (balance: number): boolean => made.length === 0 || balance < before;
      await balanceOnce(t, tenant, isCharged);
      await untilAtRest(t, tenant);
      const cost = before - (await balanceOf(tenant));
      const ids = new Set(made.map((exchange) => shownIn(t, "createLookup", exchange).id?.toLowerCase()));
      t.verify("LKP-14", cost < 2 * price && ids.size <= 1, {
        expected: `one lookup, and less charged for ${atOnce} calls at once than two lookups for ${price} millionths of a US dollar`,
        actual: `${ids.size} lookups and ${cost} charged`,
        exchanges: made.slice(0, 2),
        warnOnly: !tenant.own && ids.size <= 1,
      });
      if (made.length === 0)
        throw new Blocked(
          "none of the calls at once succeeded",
          "see how the target fares under some calls at once",
          "server",
        );
    }
  },
});

/** One key in two organizations. */
export const foreignKeys = check({
  id: "lookups.foreign-keys",
  title: "A key that another organization used makes a lookup of its own",
  rules: ["LKP-15"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const [number, otherNumber] = t.numbers("united_states");
    const main = await (await t.tenant()).main();
    const stranger = await (await t.otherTenant()).main();
    await makeLookup(t, main, { number });
    for (const wanted of [number, otherNumber]) {
      const key = randomUUID();
      const theirs = await makeLookup(t, stranger, { number, key });
      const exchange = paid(await callLookup(t, main, { number: wanted, key }));
      const { id } = isSuccess(exchange) ? shownIn(t, "createLookup", exchange) : { id: null };
      t.verify("LKP-15", id !== null && !isSameId(id, theirs.id), {
        expected: "a lookup of the organization's own",
        actual: id === null ? summaryOf(exchange) : `the other organization's lookup ${id}`,
        exchanges: [theirs.exchange, exchange],
      });
    }
  },
});
