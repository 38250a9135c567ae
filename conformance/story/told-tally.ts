import { type Apart, leastOfHistory } from "../evidence/apart.ts";
import { type AlikeRow, neverVaried, rowsOf } from "./calls-alike.ts";
import type { ToldStory } from "./step.ts";
import type { Tally } from "./tallies.ts";

/** A tally as reports show it, without secrets. */
export interface ToldTally extends Pick<Tally, "what"> {
  readonly failed: number;
  /** All of them. */
  readonly of: number;
  /**
   * What sets those that failed apart, that nothing known does, or what was never varied where all failed; null where too few
   * calls could show it.
   */
  readonly apart: string | null;
  /** How calls fared, by what they differ in; empty where nothing that is known tells them apart. */
  readonly rows: readonly AlikeRow[];
  /** Numbers of the steps of the story that it names, from 1. */
  readonly steps: readonly number[];
  /** Numbers of the steps of the story that are calls of which the rule held, from 1. */
  readonly held: readonly number[];
}

/** That of many calls nothing tells those that failed from the others. */
export const nothingApart = "nothing that the kit compares sets those that failed apart from the others";

/** Steps of either side that are named: the last ones. */
const mostNamed = 3;

/** Calls that held below which what had been done before with anything sets them apart by chance: much had, before any call. */
const leastOthers = 4;

/** The tally in words; calls that are no steps of the story are counted alone. Null for none. */
export function toldTally(
  tally: Tally | null,
  told: ToldStory | null,
  redact: (text: string) => string,
): ToldTally | null {
  if (tally === null) return null;
  const { what, failed, of, apart, isSearched, asked, calls } = tally;
  const rows = rowsOf(calls, asked, redact);
  const steps = (told?.steps ?? []).flatMap(({ exchange }, index) =>
    exchange === null ? [] : [{ exchange, number: index + 1 }],
  );
  const stepsOf = (numbers: readonly number[]): readonly number[] =>
    steps.filter(({ exchange }) => numbers.includes(exchange)).map(({ number }) => number);
  const numbers = (wanted: boolean): readonly number[] =>
    calls.filter(({ holds }) => holds === wanted).map(({ exchange }) => exchange);
  const held = stepsOf(numbers(true));
  const isChance = apart?.facts.some(({ rank }) => rank > leastOfHistory) === true && of - failed < leastOthers;
  if (apart === null || isChance) {
    const nothing = isSearched && !isChance ? nothingApart : null;
    const shared = failed === of ? neverVaried(calls, redact) : [];
    const untried = shared.length === 0 ? null : `all had ${shared.join(", ")}: no call like it had another value`;
    return { what, failed, of, apart: nothing ?? untried, rows, steps: [], held };
  }
  const [bad, good] = [stepsOf(numbers(false)).slice(-mostNamed), held.slice(-mostNamed)];
  const [wrong, right] =
    what === "calls" ? [counted(numbers(false), bad), counted(numbers(true), good)] : [failed, of - failed];
  return {
    ...{ what, failed, of, rows, held },
    apart: redact(apartText(apart, String(wrong), String(right))),
    steps: [...bad, ...good].sort((a, b) => a - b),
  };
}

/** Such as `all that failed (3, in step 13) had mode "reject"; none of the others (4, in step 7) did`. */
function apartText({ facts, failing, or }: Apart, failed: string, held: string): string {
  const words = facts.map(({ says }) => says).join(" and ");
  const also = or.map(({ says }) => `, or ${says}`).join("");
  // Each of them holds of the same calls: that is how they were found.
  const untried = or.length === 0 ? "" : "; no call had one of these without the other";
  return failing
    ? `all that failed (${failed}) ${words}${also}; none of the others (${held}) did${untried}`
    : `none that failed (${failed}) ${words}${also}; all others (${held}) did${untried}`;
}

const counted = (all: readonly number[], steps: readonly number[]): string =>
  steps.length === 0 ? String(all.length) : `${all.length}, in ${stepsText(steps)}`;

const stepsText = (steps: readonly number[]): string => `step${steps.length === 1 ? "" : "s"} ${steps.join(", ")}`;
