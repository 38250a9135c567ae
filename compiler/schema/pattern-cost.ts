import type { PatternNode } from "./pattern-tree.ts";

/** Steps that a backtracking matcher may take for one text: a millisecond, or less. */
const mostSteps = 100_000;

/** No text is looked at that is longer. */
const longest = 2 ** 24;

/**
 * Length of the texts up to which a backtracking matcher ends soon whatever the text says: there are no more ways through the
 * pattern, each as long as the text, than it takes steps. No way is left out that some matcher might not try.
 */
export function soonUpTo(pattern: PatternNode): number {
  const size = sizeOf(pattern);
  const isSoon = (length: number): boolean => {
    const starts = beginsAtStart(pattern) ? 1 : length + 1;
    return waysThrough(pattern, length) * starts * (length + size) <= mostSteps;
  };
  let [sure, beyond] = [0, 1];
  while (beyond < longest && isSoon(beyond)) [sure, beyond] = [beyond, beyond * 2];
  while (beyond - sure > 1) {
    const middle = Math.floor((sure + beyond) / 2);
    if (isSoon(middle)) sure = middle;
    else beyond = middle;
  }
  return isSoon(sure) ? sure : -1;
}

/** Ways through a pattern that texts of some length may have at one place, at most. */
function waysThrough(node: PatternNode, length: number): number {
  switch (node.kind) {
    case "characters":
    case "start":
    case "end":
    case "boundary":
      return 1;
    case "sequence":
      return node.parts.reduce((ways, part) => ways * waysThrough(part, length), 1);
    case "choice":
      return node.branches.reduce((ways, branch) => ways + waysThrough(branch, length), 0);
    case "look":
    case "unread":
      return waysThrough(node.body, length);
    case "repeat": {
      const shortest = shortestOf(node.body);
      const rounds = Math.min(node.max, Math.max(node.min, shortest === 0 ? length : Math.floor(length / shortest)));
      const ways = waysThrough(node.body, length);
      const counts = Math.max(1, rounds - node.min + 1);
      // Each round multiplies the ways of the one before.
      return ways === 1 ? counts : counts * ways ** rounds;
    }
  }
}

/** Characters that a pattern matches at least. */
function shortestOf(node: PatternNode): number {
  switch (node.kind) {
    case "characters":
      return 1;
    case "sequence":
      return node.parts.reduce((sum, part) => sum + shortestOf(part), 0);
    case "choice":
      return Math.min(...node.branches.map(shortestOf));
    case "repeat":
      return node.min === 0 ? 0 : node.min * shortestOf(node.body);
    case "unread":
      return shortestOf(node.body);
    case "start":
    case "end":
    case "boundary":
    case "look":
      return 0;
  }
}

/** Parts of a pattern with its counted repetitions written out, as far as they need be. */
function sizeOf(node: PatternNode): number {
  switch (node.kind) {
    case "sequence":
      return node.parts.reduce((sum, part) => sum + sizeOf(part), 1);
    case "choice":
      return node.branches.reduce((sum, branch) => sum + sizeOf(branch), 1);
    case "repeat":
      return 1 + sizeOf(node.body) * Math.max(1, node.min);
    case "look":
    case "unread":
      return 1 + sizeOf(node.body);
    case "characters":
    case "start":
    case "end":
    case "boundary":
      return 1;
  }
}

/** Whether a pattern is tried at the beginning of a text alone. */
export function beginsAtStart(node: PatternNode): boolean {
  switch (node.kind) {
    case "start":
      return true;
    case "sequence": {
      const first = node.parts.find(({ kind }) => kind === "start" || !isAssertion(kind));
      return first !== undefined && beginsAtStart(first);
    }
    case "choice":
      return node.branches.every(beginsAtStart);
    case "unread":
    case "characters":
    case "repeat":
    case "look":
    case "end":
    case "boundary":
      return false;
  }
}

const isAssertion = (kind: PatternNode["kind"]): boolean => kind === "look" || kind === "end" || kind === "boundary";
