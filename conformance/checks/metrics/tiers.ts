import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, errorOf, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Tenant } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { makeLookup } from "../../steps/lookup.ts";
import {
  callMetrics,
  type Granularity,
  granularities,
  granularityAdvice,
  servedGranularities,
  windowBefore,
} from "../../steps/metrics.ts";
import { understoodMetrics } from "../../steps/understood-metrics.ts";

/** What an organization gets of one granularity. */
interface Got {
  readonly granularity: Granularity;
  readonly exchange: Exchange;
}

/** Judges every granularity that is refused as too fine, and gives what was asked. */
async function judgeTier(t: CheckContext<"MET-01">, tenant: Tenant): Promise<readonly Got[]> {
  const main = await tenant.main();
  await makeLookup(t, main);
  await servedGranularities(t, main);
  const now = await tenant.now();
  const got: Got[] = [];
  for (const granularity of granularities)
    got.push({ granularity, exchange: await callMetrics(t, main, windowBefore(now, granularity, 2)) });
  for (const { granularity, exchange } of got.filter((one) => answeredBy(one.exchange, "GranularityNotAvailable"))) {
    const finest = objectOf(errorOf(exchange)?.details)?.max_granularity;
    const known = granularities.find(({ name }) => name === finest);
    // Of one that the kit does not know it cannot tell how long a window is, and so not what else it may be refused for.
    const asked = known ?? { name: String(finest), length: 86_400_000 };
    const answer = await callMetrics(t, main, windowBefore(now, asked, 2));
    t.verify("MET-01", typeof finest === "string" && !answeredBy(answer, "GranularityNotAvailable"), {
      expected: "max_granularity, one that is allowed",
      actual: `${JSON.stringify(finest) ?? "none"}, answered ${summaryOf(answer)}`,
      exchanges: [exchange, answer],
    });
    const finer = got.find(
      (one) => known !== undefined && one.granularity.length < known.length && isSuccess(one.exchange),
    );
    t.verify("MET-01", finer === undefined, {
      expected: `max_granularity, the finest that is allowed, where a ${granularity.name} is not`,
      actual: finer === undefined ? "that" : `${String(finest)}, while a ${finer.granularity.name} is allowed`,
      exchanges: [exchange, ...(finer === undefined ? [] : [finer.exchange])],
    });
  }
  return got;
}

/** What the plan of any organization allows. */
export const anyTier = check({
  id: "metrics.any-tier",
  title: "Where a granularity is refused as too fine for the plan, the finest that it allows is named",
  rules: ["MET-01"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const got = await judgeTier(t, await t.tenant({ clock: "manual" }));
    if (!got.some(({ exchange }) => answeredBy(exchange, "GranularityNotAvailable")))
      throw new Blocked(
        "the plan refuses no granularity",
        "give the kit an organization of a lower tier: a sandbox, or a new_organization hook that sets its finest granularity",
      );
  },
});

/** What a plan of days and one of hours allow. */
export const lowTiers = check({
  id: "metrics.low-tiers",
  title: "A granularity finer than the plan allows is refused, the finest that it allows is not",
  rules: ["MET-01"],
  kind: "scenario",
  needs: ["finest-granularity"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const [finest, ...others] = granularities;
    if (finest === undefined) return;
    const top = await (await t.otherTenant({ clock: "manual", finest_granularity: finest.name })).main();
    await makeLookup(t, top);
    await servedGranularities(t, top);
    // Only who shows what a granularity is where it is allowed says anything by showing something where it is not.
    const understood = await understoodMetrics(t, top);
    for (const { name, length } of others) {
      const got = await judgeTier(t, await t.otherTenant({ clock: "manual", finest_granularity: name }));
      for (const { granularity, exchange } of got) {
        const isTooFine = granularity.length < length;
        if (isTooFine && isSuccess(exchange) && !understood.has(granularity.name))
          throw new Blocked(`nothing shows what the target takes a ${granularity.name} for`, granularityAdvice);
        const isTold = answeredBy(exchange, "GranularityNotAvailable");
        // One that the target does not know may be refused in another way.
        const isRefusedSo = understood.has(granularity.name) ? isTold : !isSuccess(exchange);
        t.verify("MET-01", isTooFine ? isRefusedSo : !isTold, {
          expected: `a ${granularity.name} ${isTooFine ? "refused as too fine" : "not refused so"} where the finest is a ${name}`,
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
      }
    }
  },
});
