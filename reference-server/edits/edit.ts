import type { OperationId } from "../../generated/operations.ts";
import type { RuleId } from "../../generated/rules.ts";

/** A change of the server's source, as data, applied while the files are loaded. */
export type Edit = Mutant | Contrarian;

/** One replacement in one file. */
export interface Change {
  /** Path relative to `reference-server/`. */
  readonly file: string;
  /** Text that stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

interface Described {
  /** Stable and unique. */
  readonly id: string;
  /** What the edited server does, in a sentence. */
  readonly does: string;
  readonly changes: readonly Change[];
}

/** Breaks one rule; a check of that rule must find it. */
export interface Mutant extends Described {
  readonly breaks: RuleId;
  /** The operation at which alone it is broken: the rule's check of this operation must find it. */
  readonly at?: OperationId;
  /** Why the server must throw for this: where it is given, failures that the server logs are part of the fault. */
  readonly throws?: string;
}

interface ShapeOfOperation {
  readonly request: Readonly<Record<string, string>>;
  readonly response: Readonly<Record<string, string>>;
}

/** Answers an open question in another lawful way; no check may mind. */
export interface Contrarian extends Described {
  /** Id of the question. */
  readonly answers: string;
  /**
   * Where the kit is told to look, by operation: the contract's field to the server's, in request and answer. Needed of
   * a server that has another shape where the document shows none.
   */
  readonly shapes?: Readonly<Record<string, ShapeOfOperation>>;
}
