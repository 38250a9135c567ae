import { randomUUID } from "node:crypto";
import { outage } from "../../arrangements/outage.ts";
import { check } from "../../context/check.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { untilAtRest } from "../../steps/effect-of.ts";
import { isSameWallet, lastsLater } from "../../steps/later-state.ts";
import { balanceOf, balanceOnce, callLookup, makeLookup, priceOf, shownIn } from "../../steps/lookup.ts";
import { isSameId } from "../../steps/settle.ts";

/** A failed lookup whose charge was returned. */
export const refundedLookup = check({
  id: "lookups.refund-later",
  title: "A failed lookup is refunded once, and the balance does not change hours or days later",
  rules: ["LKP-08"],
  kind: "scenario",
  needs: ["outage", "state", "manual-clock"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    await lastsLater(t, "LKP-08", {
      begin: async () => {
        const tenant = await t.tenant({ clock: "manual" });
        const main = await tenant.main();
        // Only a wallet that was charged before can show a refund above the price of the failed lookup.
        await priceOf(t, main);
        return { tenant, main };
      },
      act: async ({ tenant, main }) => {
        const exchanges: Exchange[] = [];
        for (const wish of [{}, { key: randomUUID() }]) {
          const before = await balanceOf(tenant);
          await tenant.arrange(outage, { kind: "lookup", calls: 1 });
          const exchange = await callLookup(t, main, wish);
          const after = await balanceOnce(t, tenant, (balance) => balance === before);
          if (!answeredBy(exchange, "LookupFailed") || after !== before)
            throw new Blocked(
              `a failing lookup was answered ${summaryOf(exchange)}, and cost ${before - after}`,
              "see LKP-07 and LKP-08 first",
              "server",
            );
          exchanges.push(exchange);
        }
        return exchanges;
      },
      isKept: isSameWallet,
    });
  },
});

/** Seconds until each retry, and true if the API document permits that the key has expired by then. */
const retries = [
  { seconds: 120, isOpen: false },
  // The lifetime of a key is an open question: an hour at least, in all known readings.
  { seconds: 2700, isOpen: true },
] as const;

/** Retries minutes after the lookup. */
export const laterRetries = check({
  id: "lookups.later-retries",
  title: "A retry minutes later returns the existing lookup, and is not charged again",
  rules: ["LKP-09", "LKP-10"],
  kind: "scenario",
  needs: ["state", "manual-clock"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const before = await balanceOf(tenant);
    const key = randomUUID();
    const first = await makeLookup(t, main, { key });
    await balanceOnce(t, tenant, (balance) => balance < before);
    await untilAtRest(t, tenant);
    for (const { seconds, isOpen } of retries) {
      await tenant.advance(seconds, "a retry that comes later");
      const held = await balanceOf(tenant);
      const again = await callLookup(t, main, { key });
      const open = isOpen ? { warnOnly: true, question: "Q98" } : {};
      const { id } = isSuccess(again) ? shownIn(t, "createLookup", again) : { id: null };
      t.verify("LKP-09", isSameId(id, first.id), {
        expected: `the lookup ${first.id}, which there is already`,
        actual: id === null ? summaryOf(again) : `the lookup ${id}`,
        exchanges: [first.exchange, again],
        ...open,
      });
      await untilAtRest(t, tenant);
      const left = await balanceOf(tenant);
      t.verify("LKP-10", left >= held, {
        expected: `${held} millionths of a US dollar in the wallet, as before the retry`,
        actual: String(left),
        exchanges: [first.exchange, again],
        ...open,
      });
    }
  },
});

/** A lookup that was retried with its idempotency key. */
export const repeatedLookup = check({
  id: "lookups.repeated-charge-later",
  title: "A lookup that is retried with its idempotency key is not charged again hours or days later",
  rules: ["LKP-10"],
  kind: "scenario",
  needs: ["state", "manual-clock"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    await lastsLater(t, "LKP-10", {
      begin: async () => {
        const tenant = await t.tenant({ clock: "manual" });
        return { tenant, main: await tenant.main() };
      },
      act: async ({ tenant, main }) => {
        const before = await balanceOf(tenant);
        const key = randomUUID();
        const { exchange } = await makeLookup(t, main, { key });
        await balanceOnce(t, tenant, (balance) => balance < before);
        return [exchange, await callLookup(t, main, { key }), await callLookup(t, main, { key })];
      },
      // A refund is no second charge.
      isKept: (later, earlier) => later.wallet_micros >= earlier.wallet_micros,
    });
  },
});
