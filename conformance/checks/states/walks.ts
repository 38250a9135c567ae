import { callOf, type EntityName, type Machine, type Move, movesOf, type Situation, type Subject } from "./machine.ts";

/** One thing that is done with a subject. */
export interface Leg<Facts> {
  /** A call of the machine, or a step. */
  readonly name: string;
  /** The move that the contract shows for it; null for a step, and for a call that asks for what is so already. */
  readonly move: Move | null;
  readonly next: Situation<Facts>;
}

/** Where a walk begins, and what is done then, by name. */
export interface Walk {
  /** Counted among the machine's starts. */
  readonly start: number;
  readonly names: readonly string[];
}

/** Names all that can be done with a subject: calls and steps. */
export const namesOf = ({ calls, steps }: { readonly calls: object; readonly steps: object }): readonly string[] => [
  ...Object.keys(calls),
  ...Object.keys(steps),
];

/** What comes of doing that in a situation; null where it cannot be done, or the contract does not say what comes of it. */
export function legFrom<Name extends EntityName, Facts, Of extends Subject>(
  machine: Machine<Name, Facts, Of>,
  situation: Situation<Facts>,
  name: string,
): Leg<Facts> | null {
  const leg = legOf(machine, situation, name);
  return leg === null || machine.within?.(leg.next.facts) === false ? null : leg;
}

function legOf<Name extends EntityName, Facts, Of extends Subject>(
  machine: Machine<Name, Facts, Of>,
  situation: Situation<Facts>,
  name: string,
): Leg<Facts> | null {
  const { state, facts } = situation;
  const step = machine.steps[name];
  if (step !== undefined) {
    const next = step.becomes(situation);
    return next === null ? null : { name, move: null, next };
  }
  const holds = new Map<string, (facts: Facts) => boolean>(Object.entries(machine.holds));
  const [move, ...others] = movesOf(machine.entity).filter(
    (one) =>
      one.from === state &&
      callOf(one) === name &&
      (one.condition === null || holds.get(one.condition)?.(facts) === true),
  );
  const isLeft = machine.left?.some(
    (left) => left.state === state && left.call === name && (left.where === undefined || left.where(facts)),
  );
  if (isLeft === true) return null;
  if (others.length > 0) throw new Error(`The contract shows several moves of ${machine.entity}: ${state}, ${name}.`);
  if (move === undefined)
    return machine.idle?.some((call) => call === name) === true ? { name, move: null, next: situation } : null;
  const becomes = new Map<string, (facts: Facts) => Facts>(Object.entries(machine.becomes ?? {})).get(name);
  const isRefused = move.row !== null;
  return { name, move, next: { state: move.to, facts: isRefused ? facts : (becomes?.(facts) ?? facts) } };
}

/** Names a move and what was done right before it: a record may well remember how it came to its state. */
const wayInto = (step: string | null, move: Move): string =>
  JSON.stringify([step, move.from, move.to, callOf(move), move.condition]);

/**
 * Walks that make every move of the contract which the machine can reach, after each step, and each call for what is so already, that can come right before it,
 * and each by way of as few others as there must be. A walk goes on where it is to what is nearest, and another one begins
 * where nothing new can be reached.
 */
export function coveringWalks<Name extends EntityName, Facts, Of extends Subject>(
  machine: Machine<Name, Facts, Of>,
): readonly Walk[] {
  const walks: Walk[] = [];
  const made = new Set<string>();
  for (const [start, from] of machine.starts.entries()) {
    const begun: Place<Facts> = { situation: from, step: null };
    for (let way = wayToNew(machine, begun, made); way !== null; way = wayToNew(machine, begun, made)) {
      const names: string[] = [];
      for (let onwards: typeof way | null = way; onwards !== null; ) {
        let place = begun;
        for (const leg of onwards) {
          names.push(leg.name);
          if (leg.move !== null) made.add(wayInto(place.step, leg.move));
          place = placeAfter(leg);
        }
        onwards = wayToNew(machine, place, made);
      }
      walks.push({ start, names });
    }
  }
  return walks;
}

/** Where a walk is, and what led there that is no move of the contract; null for one, or where it began. */
interface Place<Facts> {
  readonly situation: Situation<Facts>;
  readonly step: string | null;
}

const placeAfter = <Facts>({ name, move, next }: Leg<Facts>): Place<Facts> => ({
  situation: next,
  step: move === null ? name : null,
});

/** The shortest way from a place that ends with something which has not been made; null where none does. */
function wayToNew<Name extends EntityName, Facts, Of extends Subject>(
  machine: Machine<Name, Facts, Of>,
  from: Place<Facts>,
  made: ReadonlySet<string>,
): readonly Leg<Facts>[] | null {
  const seen = new Set([JSON.stringify(from)]);
  let ways: { readonly at: Place<Facts>; readonly legs: readonly Leg<Facts>[] }[] = [{ at: from, legs: [] }];
  while (ways.length > 0) {
    const longer: typeof ways = [];
    for (const { at, legs } of ways) {
      for (const leg of namesOf(machine).flatMap((name) => legFrom(machine, at.situation, name) ?? [])) {
        if (leg.move !== null && !made.has(wayInto(at.step, leg.move))) return [...legs, leg];
        const place = placeAfter(leg);
        const key = JSON.stringify(place);
        if (seen.has(key)) continue;
        seen.add(key);
        longer.push({ at: place, legs: [...legs, leg] });
      }
    }
    ways = longer;
  }
  return null;
}

/** The moves of the contract that walks make. */
export function movesMade<Name extends EntityName, Facts, Of extends Subject>(
  machine: Machine<Name, Facts, Of>,
  walks: readonly Walk[],
): readonly Move[] {
  const made = new Set<Move>();
  for (const { start, names } of walks) {
    let situation = machine.starts[start];
    for (const name of names) {
      const leg = situation === undefined ? null : legFrom(machine, situation, name);
      if (leg === null) continue;
      if (leg.move !== null) made.add(leg.move);
      situation = leg.next;
    }
  }
  return [...made];
}
