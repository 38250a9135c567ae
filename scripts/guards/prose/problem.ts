/** Kinds of problems, in the order of the baseline's columns. */
export const problemKinds = ["clause", "word", "long", "paragraph", "name", "unit"] as const;
export type ProblemKind = (typeof problemKinds)[number];

/** One place whose English the style rules out. */
export interface Problem {
  readonly kind: ProblemKind;
  /** Starts at 1. */
  readonly line: number;
  /** The text in question, shortened. */
  readonly text: string;
  /** The remedy. */
  readonly advice: string;
}

/** A piece of English with its place. */
export interface Prose {
  readonly line: number;
  readonly text: string;
  /** True if the limit for paragraphs applies. */
  readonly isParagraph: boolean;
}
