/** One thing measured, once a round. */
export interface Figure {
  readonly name: string;
  readonly unit: "requests/s" | "deliveries/s" | "s" | "ms" | "MiB" | "per delivery";
  readonly samples: readonly number[];
}

/** A value to reach. */
export interface Aim {
  readonly kind: "at least" | "at most" | "below";
  readonly value: number;
}

/** A figure in units of its anchor, round by round, so that what slows a whole round down cancels out. */
export interface Ratio {
  readonly of: string;
  readonly to: string;
  readonly samples: readonly number[];
  readonly aim: Aim | null;
}

/** Figures of one thing and its anchors. */
export interface Section {
  readonly title: string;
  /** What was measured and how, a sentence each. */
  readonly notes: readonly string[];
  readonly figures: readonly Figure[];
  readonly ratios: readonly Ratio[];
  /** Aims for figures themselves, by name of the figure. */
  readonly aims: Readonly<Record<string, Aim>>;
}

export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** Throws when there is nothing to tell a spread of. */
export function spreadOf(samples: readonly number[]): Spread {
  const sorted = samples.toSorted((one, other) => one - other);
  const [min] = sorted;
  const max = sorted.at(-1);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (min === undefined || max === undefined || upper === undefined || lower === undefined)
    throw new Error("Nothing was measured.");
  return { min, median: (lower + upper) / 2, max };
}

export function ratioOf(of: Figure, to: Figure, aim: Aim | null): Ratio {
  const samples = of.samples.map((sample, round) => sample / (to.samples[round] ?? Number.NaN));
  return { of: of.name, to: to.name, samples, aim };
}

/** Judges by the median. */
export function isReached({ kind, value }: Aim, samples: readonly number[]): boolean {
  const { median } = spreadOf(samples);
  switch (kind) {
    case "at least":
      return median >= value;
    case "at most":
      return median <= value;
    case "below":
      return median < value;
  }
}
