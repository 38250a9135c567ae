import type { Figure } from "./figure.ts";
import type { LoadResult } from "./load.ts";

/** What one thing's latency was in each round. */
export class Latencies {
  readonly #name: string;
  readonly #rounds: LoadResult["latency"][] = [];

  constructor(name: string) {
    this.#name = name;
  }

  add(latency: LoadResult["latency"]): void {
    this.#rounds.push(latency);
  }

  get figures(): readonly Figure[] {
    const figure = (says: string, of: keyof LoadResult["latency"]): Figure => ({
      name: `${this.#name}, ${says} latency`,
      unit: "ms",
      samples: this.#rounds.map((latency) => latency[of]),
    });
    return [figure("median", "median"), figure("95th percentile of", "p95"), figure("99th percentile of", "p99")];
  }
}
