import { type CodePoints, overlap } from "../schema/code-points.ts";
import type { PatternNode } from "../schema/pattern-tree.ts";

/**
 * Says whether a backtracking matcher can need exponential time: whether some text can lead from a state of the
 * pattern's automaton back to the same state in two different ways, as `a` does in `(a+)+`. Whoever repeats that
 * text and ends it wrongly makes the matcher try all combinations. Polynomial time (`a*a*`) is not looked for.
 */
export function backtracksExponentially(pattern: PatternNode): "no" | "yes" | "too large to tell" {
  const automata: Automaton[] = [];
  try {
    build(pattern, automata);
  } catch (error) {
    if (error instanceof TooLarge) return "too large to tell";
    throw error;
  }
  return automata.some(isAmbiguous) ? "yes" : "no";
}

class TooLarge extends Error {}

/** Positions of one automaton and its lookarounds; more than a pattern of a contract has any use for. */
const mostPositions = 2_000;

/** A finite count up to this one is written out; a greater one counts as without end, as it costs as much. */
const mostCopies = 12;

/** Glushkov's automaton: a state for each place of a character set. */
interface Automaton {
  readonly sets: CodePoints[];
  /** States that may follow each state, listed as often as there are ways to get there. */
  readonly follow: number[][];
}

interface Fragment {
  readonly mayBeEmpty: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const nothing: Fragment = { mayBeEmpty: true, first: [], last: [] };

/** Adds the automaton of a pattern, and those of the lookarounds in it. */
function build(pattern: PatternNode, automata: Automaton[]): void {
  const automaton: Automaton = { sets: [], follow: [] };
  automata.push(automaton);
  const { sets, follow } = automaton;

  const connect = (from: readonly number[], to: readonly number[]): void => {
    for (const state of from) follow[state]?.push(...to);
  };
  const join = (left: Fragment, right: Fragment): Fragment => {
    connect(left.last, right.first);
    return {
      mayBeEmpty: left.mayBeEmpty && right.mayBeEmpty,
      first: left.mayBeEmpty ? [...left.first, ...right.first] : left.first,
      last: right.mayBeEmpty ? [...left.last, ...right.last] : right.last,
    };
  };
  /** The body `count` times, then up to `more` times, the optional ones nested so that they add no ambiguity. */
  const copies = (body: PatternNode, count: number, more: number): Fragment => {
    if (count > 0) return join(fragment(body), copies(body, count - 1, more));
    if (more === 0) return nothing;
    return { ...join(fragment(body), copies(body, 0, more - 1)), mayBeEmpty: true };
  };
  const fragment = (node: PatternNode): Fragment => {
    switch (node.kind) {
      case "characters": {
        if (automata.reduce((sum, a) => sum + a.sets.length, 0) >= mostPositions) throw new TooLarge();
        const state = sets.push(node.set) - 1;
        follow.push([]);
        return { mayBeEmpty: false, first: [state], last: [state] };
      }
      case "sequence":
        return node.parts.map(fragment).reduce(join, nothing);
      case "choice": {
        const branches = node.branches.map(fragment);
        return {
          mayBeEmpty: branches.some((branch) => branch.mayBeEmpty),
          first: branches.flatMap((branch) => branch.first),
          last: branches.flatMap((branch) => branch.last),
        };
      }
      case "repeat": {
        if (node.max <= mostCopies) return copies(node.body, node.min, node.max - node.min);
        const body = fragment(node.body);
        connect(body.last, body.first);
        return { ...body, mayBeEmpty: body.mayBeEmpty || node.min === 0 };
      }
      case "look":
        build(node.body, automata);
        return nothing;
      case "unread":
        return fragment(node.body);
      case "start":
      case "end":
      case "boundary":
        return nothing;
    }
  };
  fragment(pattern);
}

function isAmbiguous({ sets, follow }: Automaton): boolean {
  const loops = loopsOf(follow);
  const loopOf = new Map(loops.flatMap((states, loop) => states.map((state) => [state, loop] as const)));
  return loops.some((states, loop) => {
    const inside = (state: number): readonly number[] =>
      (follow[state] ?? []).filter((next) => loopOf.get(next) === loop);
    const twice = states.some((state) => new Set(inside(state)).size < inside(state).length);
    return twice || hasTwoWays(states[0] ?? 0, inside, sets);
  });
}

/** The strongly connected parts of the automaton that hold a cycle. */
function loopsOf(follow: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const reverse: number[][] = follow.map(() => []);
  for (const [state, next] of follow.entries()) for (const to of next) reverse[to]?.push(state);
  const left = new Set(follow.keys());
  const loops: (readonly number[])[] = [];
  for (const state of follow.keys()) {
    if (!left.has(state)) continue;
    const forth = reachedFrom(state, follow);
    const back = reachedFrom(state, reverse);
    const loop = [...forth].filter((other) => back.has(other));
    for (const member of loop) left.delete(member);
    left.delete(state);
    if (loop.length > 0) loops.push(loop);
  }
  return loops;
}

/** States reached in one step or more. */
function reachedFrom(start: number, edges: readonly (readonly number[])[]): ReadonlySet<number> {
  const reached = new Set<number>();
  const pending = [start];
  for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
    for (const next of edges[state] ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      pending.push(next);
    }
  }
  return reached;
}

/** Pairs of states looked at, at most, in one loop. */
const mostPairs = 200_000;

/**
 * True when two different ways lead from the state to itself over the same text. Both are walked at once; what
 * holds for one state of a loop holds for all.
 */
function hasTwoWays(start: number, inside: (state: number) => readonly number[], sets: readonly CodePoints[]): boolean {
  const size = sets.length;
  const origin = start * size + start;
  const cameFrom = new Map<number, number[]>([[origin, []]]);
  const pending = [origin];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    for (const a of inside(Math.floor(pair / size))) {
      for (const b of inside(pair % size)) {
        if (a !== b && !overlap(sets[a] ?? [], sets[b] ?? [])) continue;
        const next = a * size + b;
        const known = cameFrom.get(next);
        if (known !== undefined) known.push(pair);
        else {
          if (cameFrom.size >= mostPairs) return true;
          cameFrom.set(next, [pair]);
          pending.push(next);
        }
      }
    }
  }
  const returning = new Set([origin]);
  const backwards = [origin];
  for (let pair = backwards.pop(); pair !== undefined; pair = backwards.pop()) {
    if (Math.floor(pair / size) !== pair % size) return true;
    for (const before of cameFrom.get(pair) ?? []) {
      if (returning.has(before)) continue;
      returning.add(before);
      backwards.push(before);
    }
  }
  return false;
}
