import { type CodePoints, everything } from "../code-points.ts";
import { type PatternNode, patternTree } from "../pattern-tree.ts";

/** A step without a character: always possible, or only before the first or after the last one. */
interface Silent {
  readonly to: number;
  readonly when: "always" | "start" | "end";
}

/** A finite automaton of the texts that a pattern is found in. Its first state is 0. */
export interface Automaton {
  readonly silent: readonly (readonly Silent[])[];
  readonly moves: readonly (readonly { readonly to: number; readonly set: CodePoints }[])[];
  readonly final: number;
}

const mostStates = 4_000;

/**
 * The automaton of a pattern (ECMA-262, flag `u`, found anywhere in the text). Null when the pattern is not regular
 * or beyond what is read exactly: lookaround, back references, word boundaries, modifiers, very large counts.
 */
export function automatonOf(pattern: string): Automaton | null {
  const tree = patternTree(pattern);
  return tree === null || !isRegular(tree) ? null : build(tree);
}

function isRegular(node: PatternNode): boolean {
  switch (node.kind) {
    case "sequence":
      return node.parts.every(isRegular);
    case "choice":
      return node.branches.every(isRegular);
    case "repeat":
      return isRegular(node.body);
    case "characters":
    case "start":
    case "end":
      return true;
    case "boundary":
    case "look":
    case "unread":
      return false;
  }
}

function build(tree: PatternNode): Automaton | null {
  const silent: Silent[][] = [];
  const moves: { to: number; set: CodePoints }[][] = [];
  const state = (): number => {
    moves.push([]);
    return silent.push([]) - 1;
  };
  const skip = (from: number, to: number, when: Silent["when"] = "always"): void => {
    silent[from]?.push({ to, when });
  };
  /** Adds what leads from a state through the node; gives the state after it. */
  const add = (node: PatternNode, from: number): number => {
    if (silent.length > mostStates) return from;
    switch (node.kind) {
      case "characters": {
        const to = state();
        moves[from]?.push({ to, set: node.set });
        return to;
      }
      case "sequence":
        return node.parts.reduce((at, part) => add(part, at), from);
      case "choice": {
        const to = state();
        for (const branch of node.branches) {
          const start = state();
          skip(from, start);
          skip(add(branch, start), to);
        }
        return to;
      }
      case "repeat": {
        let at = from;
        for (let count = 0; count < node.min && silent.length <= mostStates; count++) at = add(node.body, at);
        const to = state();
        if (node.max === Infinity) {
          const loop = state();
          skip(at, loop);
          skip(add(node.body, loop), loop);
          skip(loop, to);
          return to;
        }
        for (let count = node.min; count < node.max && silent.length <= mostStates; count++) {
          skip(at, to);
          at = add(node.body, at);
        }
        skip(at, to);
        return to;
      }
      case "start":
      case "end": {
        const to = state();
        skip(from, to, node.kind);
        return to;
      }
      case "boundary":
      case "look":
      case "unread":
        return from;
    }
  };
  const first = state();
  moves[first]?.push({ to: first, set: everything });
  const start = state();
  skip(first, start);
  const final = add(tree, start);
  if (silent.length > mostStates) return null;
  // Whatever follows a find.
  const found = state();
  skip(final, found);
  moves[found]?.push({ to: found, set: everything });
  return { silent, moves, final: found };
}

/** The states reached from some without a character. A text at its start or end lets assertions pass. */
export function closure(
  { silent }: Automaton,
  states: Iterable<number>,
  at: { readonly start: boolean; readonly end: boolean },
): ReadonlySet<number> {
  const reached = new Set(states);
  const pending = [...reached];
  for (let from = pending.pop(); from !== undefined; from = pending.pop()) {
    for (const { to, when } of silent[from] ?? []) {
      if (reached.has(to) || (when === "start" && !at.start) || (when === "end" && !at.end)) continue;
      reached.add(to);
      pending.push(to);
    }
  }
  return reached;
}
