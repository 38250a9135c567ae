/** Two idempotency keys that differ in little. */
export interface LikeKeys {
  readonly one: string;
  readonly other: string;
  /** What they differ in, as a report has it. */
  readonly by: string;
  /** Whether a server may well take them for one. */
  readonly isVague: boolean;
}

/** Keys that differ in little, made of a text that stands in no other key. */
export const likeKeys = (text: string): readonly LikeKeys[] => [
  { one: `${text}-${text}-a`, other: `${text}-${text}-b`, by: "in its end", isVague: false },
  // A server may compare keys as UUIDs, which have no case.
  { one: `${text}-key`, other: `${text}-KEY`, by: "in its case", isVague: true },
];
