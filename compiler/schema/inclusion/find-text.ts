import type { CodePoints } from "../code-points.ts";
import { type Automaton, automatonOf, closure } from "./automaton.ts";

export interface TextCondition {
  readonly pattern: string;
  readonly matches: boolean;
}

/** Least and greatest number of code points. */
export interface Lengths {
  readonly min: number;
  readonly max: number;
}

export type TextFound =
  | { readonly kind: "found"; readonly text: string }
  | { readonly kind: "none" }
  | { readonly kind: "unknown" };

const mostPlaces = 20_000;

/** States looked at in one search: large automata have many at each place. */
const mostLooks = 2_000_000;

const known = new Map<string, Automaton | null>();

/** Automata are kept: the same few patterns are compared again and again. */
function knownAutomaton(pattern: string): Automaton | null {
  const existing = known.get(pattern);
  if (existing !== undefined) return existing;
  if (known.size > 500) known.clear();
  const made = automatonOf(pattern);
  known.set(pattern, made);
  return made;
}

/**
 * A shortest text of well-formed Unicode within the lengths that each pattern is or is not found in, or proof that
 * there is none. Unknown where patterns are not regular or the search grows too large; a condition that can't be
 * read is left out, which can only add texts, so that "none" stays a proof.
 */
export function findText(conditions: readonly TextCondition[], lengths: Lengths): TextFound {
  if (lengths.min > lengths.max) return { kind: "none" };
  const key = JSON.stringify([conditions, lengths.min, lengths.max]);
  const existing = answers.get(key);
  if (existing !== undefined) return existing;
  if (answers.size > mostAnswers) answers.clear();
  const made = findAnew(conditions, lengths);
  answers.set(key, made);
  return made;
}

const mostAnswers = 2_000;

/** Kept, as the automata are. */
const answers = new Map<string, TextFound>();

function findAnew(conditions: readonly TextCondition[], lengths: Lengths): TextFound {
  const readable = conditions.flatMap(({ pattern, matches }) => {
    const automaton = knownAutomaton(pattern);
    return automaton === null ? [] : [{ automaton, matches }];
  });
  const found = search(readable, lengths);
  return found.kind === "found" && readable.length < conditions.length ? { kind: "unknown" } : found;
}

interface Condition {
  readonly automaton: Automaton;
  readonly matches: boolean;
}

/** Where a text has led: the states of each automaton before any step without a character. */
interface Place {
  readonly text: string;
  readonly length: number;
  readonly states: readonly ReadonlySet<number>[];
}

function search(conditions: readonly Condition[], { min, max }: Lengths): TextFound {
  const alphabet = alphabetOf(conditions.flatMap(({ automaton }) => automaton.moves.flat().map(({ set }) => set)));
  const counted = max === Infinity ? min : max;
  const seen = new Set<string>();
  let looks = 0;
  const pending: Place[] = [{ text: "", length: 0, states: conditions.map(() => new Set([0])) }];
  // A list that grows while it is walked is walked to its new end.
  for (const place of pending) {
    const start = place.length === 0;
    const accepted = conditions.every(
      ({ automaton, matches }, index) =>
        closure(automaton, place.states[index] ?? [], { start, end: true }).has(automaton.final) === matches,
    );
    if (accepted && place.length >= min) return { kind: "found", text: place.text };
    if (place.length >= max) continue;
    if (pending.length > mostPlaces || looks > mostLooks) return { kind: "unknown" };
    const open = conditions.map(({ automaton }, index) =>
      closure(automaton, place.states[index] ?? [], { start, end: false }),
    );
    // A pattern once found stays found: nothing that must not hold it lies further on.
    if (conditions.some(({ automaton, matches }, index) => !matches && open[index]?.has(automaton.final))) continue;
    looks += open.reduce((sum, states) => sum + states.size, 1) * alphabet.length;
    for (const point of alphabet) {
      const states = conditions.map(({ automaton }, index) => moved(automaton, open[index] ?? new Set(), point));
      const length = place.length + 1;
      const key = `${Math.min(length, counted)} ${states.map((set) => [...set].sort((a, b) => a - b).join(",")).join(" ")}`;
      if (seen.has(key)) continue;
      seen.add(key);
      pending.push({ text: place.text + String.fromCodePoint(point), length, states });
    }
  }
  return { kind: "none" };
}

function moved({ moves }: Automaton, states: ReadonlySet<number>, point: number): ReadonlySet<number> {
  const reached = new Set<number>();
  for (const state of states) {
    for (const { to, set } of moves[state] ?? []) if (contains(set, point)) reached.add(to);
  }
  return reached;
}

const contains = (set: CodePoints, point: number): boolean => set.some(([from, to]) => from <= point && point <= to);

const readable = [..."axA0-_ ."].map((character) => character.codePointAt(0) ?? 0);
const surrogates = { from: 0xd800, to: 0xdfff };

/** One code point for each way of being in or out of the sets, a readable one where there is one. */
function alphabetOf(sets: readonly CodePoints[]): readonly number[] {
  const distinct = [...new Map(sets.map((set) => [JSON.stringify(set), set])).values()];
  const cuts = new Set([0, 0x21, 0x7f, 0xa1, surrogates.from, surrogates.to + 1]);
  for (const [from, to] of distinct.flat()) cuts.add(from).add(to + 1);
  const points = [
    ...readable,
    ...[...cuts].filter((cut) => cut > 0x20 && cut < 0x10ffff).sort((a, b) => a - b),
    ...cuts,
  ];
  const bySignature = new Map<string, number>();
  for (const point of points) {
    if (point > 0x10ffff || (point >= surrogates.from && point <= surrogates.to)) continue;
    const signature = distinct.map((set) => (contains(set, point) ? 1 : 0)).join("");
    if (!bySignature.has(signature)) bySignature.set(signature, point);
  }
  return [...bySignature.values()];
}
