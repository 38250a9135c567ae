import type { Answered } from "./invariant.ts";

/** Counts of answers that a rule speaks of, by what may tell those apart that break it. */
export interface Breakdown {
  add(exchange: Answered, credential: string, broken: boolean): void;
  /** Such as "401: 75 of 75, others: 0 of 697"; null where nothing tells them apart. */
  text(): string | null;
}

interface Count {
  seen: number;
  broken: number;
}

/** What an answer may be told apart by, the plainest first. */
const traits: readonly ((exchange: Answered, credential: string) => string)[] = [
  ({ outcome }) => String(outcome.status),
  ({ operation, request }) => operation ?? `${request.method} of no operation`,
  (_, credential) => credential,
  ({ operation, request, outcome }) => `${operation ?? request.method} ${outcome.status}`,
];

/** Values of a trait that are named; where more break the rule, it does not tell them apart. */
const mostNamed = 4;

export function newBreakdown(): Breakdown {
  const counts = traits.map(() => new Map<string, Count>());
  return {
    add(exchange, credential, broken) {
      for (const [index, trait] of traits.entries()) {
        const value = trait(exchange, credential);
        const count = counts[index]?.get(value) ?? { seen: 0, broken: 0 };
        count.seen += 1;
        if (broken) count.broken += 1;
        counts[index]?.set(value, count);
      }
    },
    text() {
      const [best] = counts
        .map((values) => ({ values, doubt: doubtOf(values) }))
        .filter(({ values }) => isTelling(values))
        .sort((a, b) => a.doubt - b.doubt);
      return best === undefined ? null : textOf(best.values);
    },
  };
}

/** Some values break the rule, few enough to be named, and some keep it. */
function isTelling(values: ReadonlyMap<string, Count>): boolean {
  const broken = [...values.values()].filter((count) => count.broken > 0).length;
  return broken > 0 && broken <= mostNamed && broken < values.size;
}

/** Answers that stand on the wrong side of values that break the rule mostly or not at all. */
const doubtOf = (values: ReadonlyMap<string, Count>): number =>
  [...values.values()].reduce((sum, { seen, broken }) => sum + (broken === 0 ? 0 : seen - broken), 0);

function textOf(values: ReadonlyMap<string, Count>): string {
  const broken = [...values].filter(([, count]) => count.broken > 0).sort(([, a], [, b]) => b.broken - a.broken);
  const others = [...values.values()].filter((count) => count.broken === 0).reduce((sum, { seen }) => sum + seen, 0);
  return [
    ...broken.map(([value, count]) => `${value}: ${count.broken} of ${count.seen}`),
    `others: 0 of ${others}`,
  ].join(", ");
}
