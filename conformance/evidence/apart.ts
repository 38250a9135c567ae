/** Something that holds of a call or does not, which may set those that failed apart from others. */
export interface Fact {
  /** In words that go on with "every call that failed …", such as `had mode "reject"`. */
  readonly says: string;
  /** How plainly it tells of a fault, the plainest first, from 0. */
  readonly rank: number;
}

/** The rank from which on facts tell of what had been done before a call, and not of the call itself. */
export const leastOfHistory = 4;

/** Whether a fact tells of what had been done before a call. */
export const isOfHistory = ({ rank }: Fact): boolean => rank >= leastOfHistory;

/** Makes facts, each of them once. */
export type FactMaker = (rank: number, says: string) => Fact;

export function newFactMaker(): FactMaker {
  const known = new Map<string, Fact>();
  return (rank, says) => {
    const fact = known.get(says) ?? { says, rank };
    known.set(says, fact);
    return fact;
  };
}

/** A call of which a rule was decided. The same fact is the same object. */
export interface Decided {
  readonly holds: boolean;
  readonly facts: ReadonlySet<Fact>;
}

/** What sets the calls that failed apart from those like them that did not. */
export interface Apart {
  /** What all that failed have, or none of them has: one fact, or two together. */
  readonly facts: readonly Fact[];
  /** Whether it is those that failed that have it; else it is all others. */
  readonly failing: boolean;
  /** The next facts that set them apart as well: the calls do not tell which of them it is. */
  readonly or: readonly Fact[];
}

/** Further facts that are told. */
const mostFurther = 2;

/**
 * Ways in which as many calls could have failed, of which one fact that tells them apart by chance is one: below, anything may.
 * Two together are found by chance more often than one.
 */
const leastWays = { one: 4, two: 100 };

/** Facts that two together are looked for among. */
const mostPaired = 60;

/**
 * The plainest fact that all calls have that failed and no other call has, or the other way round, or else two that only
 * the calls that failed have together; null where there is none, or where so few calls would show one by chance.
 */
export function whatSetsApart(calls: readonly Decided[]): Apart | null {
  const failed = calls.filter(({ holds }) => !holds);
  const held = calls.filter(({ holds }) => holds);
  const ways = waysToChoose(calls.length, failed.length);
  if (ways < leastWays.one) return null;
  const [one, ...others] = [
    ...sharedBy(failed)
      .filter((fact) => held.every(({ facts }) => !facts.has(fact)))
      .map((fact) => ({ facts: [fact], failing: true, or: [] })),
    ...sharedBy(held)
      .filter((fact) => failed.every(({ facts }) => !facts.has(fact)))
      .map((fact) => ({ facts: [fact], failing: false, or: [] })),
  ].sort((a, b) => rankOf(a) - rankOf(b));
  const isOneSided = ({ failing }: Apart): boolean => failing === one?.failing;
  if (one !== undefined) {
    const alike = [one, ...others].filter(isOneSided).flatMap(({ facts }) => facts);
    // That there was something says as much as which value it had, where it had no other one.
    const [first, ...further] = alike.filter(({ says }) => !alike.some((wider) => says.startsWith(`${wider.says} `)));
    // Beside what a call was itself, what came before it is the longer way to say it; how often it came is so beside that.
    const or = further.filter((other) => !isOfHistory(other) || (first !== undefined && other.rank <= first.rank + 1));
    if (first !== undefined) return { ...one, facts: [first], or: or.slice(0, mostFurther) };
  }
  if (ways < leastWays.two) return null;
  const shared = sharedBy(failed)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, mostPaired);
  const [two] = shared
    .flatMap((fact, index) => shared.slice(index + 1).map((other) => [fact, other] as const))
    .filter(([fact, other]) => held.every(({ facts }) => !facts.has(fact) || !facts.has(other)))
    .map((facts) => ({ facts, failing: true, or: [] }))
    .sort((a, b) => rankOf(a) - rankOf(b));
  return two ?? null;
}

/** Whether there are enough calls of either kind for a fact to set them apart other than by chance. */
export const couldBeApart = (calls: readonly Decided[]): boolean =>
  waysToChoose(calls.length, calls.filter(({ holds }) => !holds).length) >= leastWays.two;

const rankOf = ({ facts }: Apart): number => facts.reduce((sum, { rank }) => sum + rank, 0);

function sharedBy([first, ...others]: readonly Decided[]): readonly Fact[] {
  return [...(first?.facts ?? [])].filter((fact) => others.every(({ facts }) => facts.has(fact)));
}

/** Ways to choose some of all, no more of them than matter. */
function waysToChoose(all: number, some: number): number {
  let ways = 1;
  for (let chosen = 0; chosen < Math.min(some, all - some); chosen += 1) {
    ways = (ways * (all - chosen)) / (chosen + 1);
    if (ways > leastWays.two) return ways;
  }
  return ways;
}
