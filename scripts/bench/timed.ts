import { spreadOf } from "./figure.ts";
import type { Subject } from "./rounds.ts";

/** What a call takes in milliseconds; each sample is the median of so many. */
export const timed = (name: string, calls: number, call: () => Promise<void>): Subject => ({
  name,
  unit: "ms",
  async sample() {
    const samples: number[] = [];
    for (let index = 0; index < calls; index++) {
      const start = performance.now();
      await call();
      samples.push(performance.now() - start);
    }
    return spreadOf(samples).median;
  },
});
