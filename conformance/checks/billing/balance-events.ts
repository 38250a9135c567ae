import { referenceChoices } from "../../../generated/choices.ts";
import { eventType } from "../../../generated/events.ts";
import { check } from "../../context/check.ts";
import { makeLookup, priceOf } from "../../steps/lookup.ts";
import { eventually } from "../../steps/settle.ts";
import { byFeed, byReceiver, forEachVantage, seenEvents } from "../../steps/vantage.ts";

/** Balances after which one lookup leaves little, as far as that can be guessed, and nothing. */
const told = [
  {
    rule: "BIL-31",
    type: eventType.walletBalanceLow,
    left: "little",
    balance: () => Number(referenceChoices.lowBalanceMicros),
  },
  { rule: "BIL-32", type: eventType.walletBalanceZero, left: "nothing", balance: (price: number) => price },
] as const;

/** What an endpoint is sent of a wallet that runs out. Nothing says which operation sends which event, so it is only recorded. */
export const balanceEvents = forEachVantage([byReceiver, byFeed], ({ watch }) =>
  check({
    id: "billing.balance-events",
    title: "A wallet that runs low, or out, is told",
    rules: ["BIL-31", "BIL-32"],
    kind: "scenario",
    needs: ["state", "wallet"],
    effects: ["creates", "spends"],
    draws: {},
    async run(t) {
      const price = await priceOf(t, await (await t.tenant({ clock: "manual" })).main());
      for (const { rule, type, left, balance } of told) {
        const tenant = await t.otherTenant({ clock: "manual", wallet_micros: balance(price) });
        const main = await tenant.main();
        const watched = await watch(t, main, { events: [type] });
        const { exchange } = await makeLookup(t, main);
        const isTold = await eventually(t, tenant, async () =>
          (await seenEvents(watched)).some((one) => one.eventType === type) ? true : null,
        );
        const what = isTold === true ? "was sent" : "was not sent in time";
        t.observe(rule, `${type} ${what} after a lookup that left ${left}`, exchange);
      }
    },
  }),
);
