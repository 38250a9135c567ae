import { check } from "../../context/check.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { callLookup, makeLookup, numberElsewhere } from "../../steps/lookup.ts";
import { callMetrics, servedGranularities, windowBefore } from "../../steps/metrics.ts";

/** Metrics of who has asked for lookups in vain. */
export const refusedLookups = check({
  id: "metrics.refused-lookups",
  title: "A lookup that was refused before it was run, for its number or for credit, makes no metrics of lookups",
  rules: ["MET-07"],
  kind: "scenario",
  needs: ["fresh-organization", "other-organization", "wallet"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const neighbour = await (await t.otherTenant({ clock: "manual" })).main();
    await makeLookup(t, neighbour);
    const [{ granularity }] = await servedGranularities(t, neighbour);
    let refused = 0;
    for (const { wish, number, row } of [
      { wish: {}, number: numberElsewhere, row: "LookupUnsupportedRegion" },
      { wish: { wallet_micros: 0 }, number: undefined, row: "InsufficientCredit" },
    ] as const) {
      const tenant = await t.otherTenant({ clock: "manual", ...wish });
      const main = await tenant.main();
      const lookup = await callLookup(t, main, number === undefined ? {} : { number });
      if (!answeredBy(lookup, row)) continue;
      refused += 1;
      const metrics: Exchange = await callMetrics(t, main, windowBefore(await tenant.now(), granularity, 2));
      t.refused("MET-07", metrics, "MetricNotAvailable");
    }
    if (refused === 0) throw new NotApplicable("no lookup was refused for its number or for credit");
  },
});
