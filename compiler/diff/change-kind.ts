import type { Area, Direction, Verdict } from "./change.ts";

/** What is true of every change with one id. */
export interface ChangeKind {
  readonly direction: Direction;
  readonly area: Area;
  readonly verdict: Verdict;
  readonly title: string;
  /** Ids that the same edit gives with the sides swapped; an id may be its own mirror. */
  readonly mirrors: readonly string[];
}

type Of = (verdict: Verdict, title: string, ...mirrors: readonly string[]) => ChangeKind;

/** Makes the kinds of one area, by who sees them. */
export const kinds = (area: Area): Readonly<Record<Direction, Of>> => {
  const of =
    (direction: Direction): Of =>
    (verdict, title, ...mirrors) => ({ direction, area, verdict, title, mirrors });
  return { request: of("request"), response: of("response"), neutral: of("neutral") };
};
