import type { Answered } from "./invariant.ts";

/** What may tell an answer apart from others: the value of each trait. Answers of one kind have the same object. */
export interface AnswerKind {
  readonly values: readonly string[];
}

/** Counts of answers that a rule speaks of, by what may tell those apart that break it. */
export interface Breakdown {
  add(kind: AnswerKind, broken: boolean): void;
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

/** Asked for once an answer: every rule that speaks of it counts the same kind. */
export function newKinds(): (exchange: Answered, credential: string) => AnswerKind {
  const known = new Map<string, AnswerKind>();
  return (exchange, credential) => {
    const values = traits.map((trait) => trait(exchange, credential));
    const name = values.join(" ");
    const kind = known.get(name) ?? { values };
    known.set(name, kind);
    return kind;
  };
}

export function newBreakdown(): Breakdown {
  // Counted when somebody asks: of most rules nobody does.
  const seen: AnswerKind[] = [];
  const broken: AnswerKind[] = [];
  return {
    add(kind, isBroken) {
      seen.push(kind);
      if (isBroken) broken.push(kind);
    },
    text() {
      const [best] = traits
        .map((_, index) => countsBy(seen, broken, index))
        .map((values) => ({ values, doubt: doubtOf(values) }))
        .filter(({ values }) => isTelling(values))
        .sort((a, b) => a.doubt - b.doubt);
      return best === undefined ? null : textOf(best.values);
    },
  };
}

/** Counts of the kinds that have one value in common. */
function countsBy(
  seen: readonly AnswerKind[],
  broken: readonly AnswerKind[],
  trait: number,
): ReadonlyMap<string, Count> {
  const counts = new Map<string, Count>();
  const countOf = ({ values }: AnswerKind): Count => {
    const value = values[trait] ?? "";
    const count = counts.get(value) ?? { seen: 0, broken: 0 };
    counts.set(value, count);
    return count;
  };
  for (const kind of seen) countOf(kind).seen += 1;
  for (const kind of broken) countOf(kind).broken += 1;
  return counts;
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
