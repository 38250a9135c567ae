/** Who sees a change: those who send requests, those who read answers, or neither on the wire. */
export type Direction = "request" | "response" | "neutral";

/** `breaking`: someone's working program stops working; `risky`: it may; `safe`: shown that none does. */
export type Verdict = "breaking" | "risky" | "safe";

export type Area =
  | "operations"
  | "parameters"
  | "request-body"
  | "responses"
  | "response-headers"
  | "schemas"
  | "security"
  | "servers"
  | "scopes"
  | "limits"
  | "constants"
  | "errors"
  | "states"
  | "events"
  | "rules"
  | "questions";

/** What is true of every change with one id. */
export interface ChangeKind {
  readonly direction: Direction;
  readonly area: Area;
  readonly verdict: Verdict;
  readonly title: string;
  /** Ids that the same edit gives with the sides swapped; an id may be its own mirror. */
  readonly mirrors: readonly string[];
  /** Told by what many authors mean, though the document does not say so: no change by the letter. */
  readonly isBeyondLetter?: true;
  /** The verdict by the letter, where most read the document otherwise. */
  readonly verdictByLetter?: Verdict;
}

type Of = (verdict: Verdict, title: string, ...mirrors: readonly string[]) => ChangeKind;

export const beyondLetter = (kind: ChangeKind): ChangeKind => ({ ...kind, isBeyondLetter: true });

export const byLetter = (verdictByLetter: Verdict, kind: ChangeKind): ChangeKind => ({ ...kind, verdictByLetter });

/** Makes the kinds of one area, by who sees them. */
export const kinds = (area: Area): Readonly<Record<Direction, Of>> => {
  const of =
    (direction: Direction): Of =>
    (verdict, title, ...mirrors) => ({ direction, area, verdict, title, mirrors });
  return { request: of("request"), response: of("response"), neutral: of("neutral") };
};
