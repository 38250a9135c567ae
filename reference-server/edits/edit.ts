import type { RuleId } from "../../generated/rules.ts";

/** A change of the server's source, as data, applied while the file is loaded. */
export type Edit = Mutant | Contrarian;

interface Change {
  /** Stable and unique. */
  readonly id: string;
  /** What the change does, in a sentence. */
  readonly does: string;
  /** Path relative to `reference-server/`. */
  readonly file: string;
  /** Text that stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** Breaks one rule; a check of that rule must find it. */
export interface Mutant extends Change {
  readonly breaks: RuleId;
}

/** Answers an open question in another lawful way; no check may mind. */
export interface Contrarian extends Change {
  /** Id of the question. */
  readonly answers: string;
}
