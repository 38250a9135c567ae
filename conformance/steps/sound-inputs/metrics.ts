import { answeredBy } from "../answered-by.ts";
import type { SoundInputs } from "../input-maker.ts";
import { makeLookup } from "../lookup.ts";
import { byDay, metricsQuery, windowBefore } from "../metrics.ts";

/** Seconds after which a lookup lies in another bucket of every granularity that a list shows by itself. */
const anotherBucket = 86_400;

/** Days that are asked for, to the end of the present one: more than one page of few. */
const days = 14;

export const soundInputs: SoundInputs<"metrics"> = {
  getLookupMetrics: {
    // There are no metrics of lookups before the first one.
    async make(t, tenant) {
      const main = await tenant.main();
      await makeLookup(t, main);
      // Who wants to be told the window gets one; where none is needed the target chooses its own.
      const bare = await t.call("getLookupMetrics", {}, main);
      if (!answeredBy(bare, "ValidationFailed")) return {};
      const tomorrow = (await tenant.now()) + byDay.length;
      return { query: metricsQuery(t, windowBefore(tomorrow, byDay, days)) };
    },
    async add(t, tenant) {
      await makeLookup(t, await tenant.main());
      if (tenant.manualClock) await tenant.advance(anotherBucket, "a lookup on another day");
    },
    addDraws: {},
  },
};
