import { type CodePoints, word } from "./code-points.ts";
import { soonUpTo } from "./pattern-cost.ts";
import { type PatternNode, patternTree } from "./pattern-tree.ts";

/** A pattern that texts are looked through for. */
export interface Matcher {
  test(text: string): boolean;
  /** The pattern: by it validators tell matchers apart. */
  toString(): string;
}

/** Whether a pattern is found in a text would take longer to tell than any text is worth. */
export class EndlessPattern extends Error {
  override readonly name = "EndlessPattern";
}

/** Steps through the positions of one text. */
const mostSteps = 1_000_000;

/** Steps that come to one of the work that comparisons are given. */
const stepsOfOne = 1_000;

let untold = 0;

/** The work that was done to look through texts since it was asked for the last time. */
export function takeMatchingWork(): number {
  const work = Math.floor(untold / stepsOfOne);
  untold -= work * stepsOfOne;
  return work;
}

/** Patterns whose matchers are kept; then all of them are let go. */
const mostKept = 2_000;

const known = new Map<string, Matcher>();

/**
 * The matcher of a pattern (ECMA-262, flag `u`), which always ends: documents come from anywhere, and an engine that tracks back
 * may take a hundred characters to need more time than there is. Where that can happen the positions that the pattern leads
 * to are followed all at once, in counted steps. Throws a `SyntaxError` where it is no pattern; a test throws
 * `EndlessPattern` where the steps do not suffice.
 */
export function matcherOf(pattern: string): Matcher {
  const existing = known.get(pattern);
  if (existing !== undefined) return existing;
  if (known.size >= mostKept) known.clear();
  const made = makeMatcher(pattern);
  known.set(pattern, made);
  return made;
}

function makeMatcher(pattern: string): Matcher {
  const native = new RegExp(pattern, "u");
  const tree = patternTree(pattern) ?? nothing;
  const soon = soonUpTo(tree);
  const isRead = isReadWhole(tree);
  return {
    test(text) {
      if (text.length <= soon) return native.test(text);
      if (!isRead) throw new EndlessPattern(`To look for ${pattern} in a text of ${text.length} may take too long.`);
      return new Search(pattern, text).finds(tree);
    },
    toString: () => String(native),
  };
}

const nothing: PatternNode = { kind: "sequence", parts: [] };

function isReadWhole(node: PatternNode): boolean {
  switch (node.kind) {
    case "sequence":
      return node.parts.every(isReadWhole);
    case "choice":
      return node.branches.every(isReadWhole);
    case "repeat":
    case "look":
      return isReadWhole(node.body);
    case "unread":
      return false;
    case "characters":
    case "start":
    case "end":
    case "boundary":
      return true;
  }
}

type Positions = ReadonlySet<number>;

const nowhere: Positions = new Set();

/** One text, of which all positions are followed at once that a pattern can lead to: never two ways to the same one. */
class Search {
  private readonly pattern: string;
  private readonly points: readonly number[];
  private steps = 0;

  constructor(pattern: string, text: string) {
    this.pattern = pattern;
    this.points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  }

  finds(tree: PatternNode): boolean {
    return this.after(tree, this.everywhere()).size > 0;
  }

  private everywhere(): Positions {
    return new Set(Array.from({ length: this.points.length + 1 }, (_, at) => at));
  }

  private step(count: number): void {
    this.steps += count;
    untold += count;
    if (this.steps <= mostSteps) return;
    throw new EndlessPattern(`To look for ${this.pattern} in a text of ${this.points.length} takes too long.`);
  }

  /** Where a match of the node ends that begins at one of some positions. */
  private after(node: PatternNode, from: Positions): Positions {
    if (from.size === 0) return from;
    this.step(from.size);
    switch (node.kind) {
      case "characters":
        return this.afterCharacters(node.set, from);
      case "sequence":
        return node.parts.reduce((at, part) => this.after(part, at), from);
      case "choice":
        return new Set(node.branches.flatMap((branch) => [...this.after(branch, from)]));
      case "repeat":
        return this.afterRepeat(node, from);
      case "start":
        return from.has(0) ? new Set([0]) : nowhere;
      case "end":
        return from.has(this.points.length) ? new Set([this.points.length]) : nowhere;
      case "boundary":
        return kept(from, (at) => (this.isWord(at - 1) !== this.isWord(at)) !== node.negated);
      case "look": {
        // Behind, all matches are looked for at once, of which some end here.
        const ends = node.ahead ? null : this.after(node.body, this.everywhere());
        return kept(from, (at) => {
          const isThere = ends === null ? this.after(node.body, new Set([at])).size > 0 : ends.has(at);
          return isThere !== node.negated;
        });
      }
      case "unread":
        throw new EndlessPattern(`${this.pattern} can't be followed.`);
    }
  }

  private afterCharacters(set: CodePoints, from: Positions): Positions {
    const reached = new Set<number>();
    for (const at of from) {
      const point = this.points[at];
      if (point !== undefined && isIn(set, point)) reached.add(at + 1);
    }
    return reached;
  }

  private afterRepeat({ body, min, max }: PatternNode & { kind: "repeat" }, from: Positions): Positions {
    let at = from;
    // Rounds that lead nowhere else go on doing so.
    for (let round = 0, before: Positions = nowhere; round < min && !isSame(at, before); round += 1) {
      before = at;
      at = this.after(body, at);
    }
    const reached = new Set(at);
    // Whoever comes to a position first has the most rounds left.
    for (let round = min; round < max && at.size > 0; round += 1) {
      at = kept(this.after(body, at), (next) => !reached.has(next));
      for (const next of at) reached.add(next);
    }
    return reached;
  }

  private isWord(at: number): boolean {
    const point = this.points[at];
    return point !== undefined && isIn(word, point);
  }
}

const kept = (positions: Positions, isKept: (at: number) => boolean): Positions =>
  new Set([...positions].filter(isKept));

const isSame = (one: Positions, other: Positions): boolean =>
  one.size === other.size && [...one].every((at) => other.has(at));

const isIn = (set: CodePoints, point: number): boolean => set.some(([from, to]) => from <= point && point <= to);
