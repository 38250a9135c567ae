/** A comparison without an answer: why, in sentences, and whether more work may bring one. */
export interface Undecided {
  readonly kind: "unknown";
  readonly why: string;
  readonly isUnfinished?: true;
  /** Where it may fail, and by which keyword, as far as the proof tells; empty or left out where it does not. */
  readonly doubted?: readonly { readonly place: string; readonly keyword: string }[];
}

/** What came of searches in vain for what differences of components do, so that nobody makes them again. */
export class VainSearches {
  private readonly kept = new Map<string, Undecided>();

  /** Origins are those of doubts; their claims name schemas by number, so they mean something for one pair of documents alone. */
  keep(verdict: Undecided, origins: readonly string[]): void {
    for (const origin of origins) if (!this.kept.has(origin)) this.kept.set(origin, verdict);
  }

  /** What came of an earlier search, where there was one for each of these. */
  keptFor(origins: readonly (string | null)[]): Undecided | null {
    const found = origins.map((origin) => (origin === null ? undefined : this.kept.get(origin)));
    const [first] = found;
    return first !== undefined && found.every((each) => each !== undefined) ? first : null;
  }
}
