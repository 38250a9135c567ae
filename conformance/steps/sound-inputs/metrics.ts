import { makeLookup } from "../lookup.ts";
import type { SoundInputs } from "./maker.ts";

/** Seconds after which a lookup lies in another bucket of every granularity that a list shows by itself. */
const anotherBucket = 86_400;

export const soundInputs: SoundInputs<"metrics"> = {
  getLookupMetrics: {
    // There are no metrics of lookups before the first one.
    async make(t, tenant) {
      await makeLookup(t, await tenant.main());
      return {};
    },
    async add(t, tenant) {
      await makeLookup(t, await tenant.main());
      if (tenant.manualClock) await tenant.advance(anotherBucket, "a lookup on another day");
    },
    addDraws: {},
  },
};
