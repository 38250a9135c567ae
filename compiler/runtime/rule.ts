/** One sentence of the contract. */
export interface Rule {
  /** What it speaks about: an operation id, an error row's name, or another declaration of the contract. */
  readonly about: string;
  readonly says: string;
  /** Operations and error rows that the sentence names. */
  readonly operations: readonly string[];
  readonly rows: readonly string[];
  /**
   * What of it programs must know. `foreignRecord`: what these operations answer about another organization's record, one
   * of these rows. `isolation`: that organizations are kept apart in some other way. `dataShape`: that a success of the
   * operation has the members of its model, with their types. Null: nothing.
   */
  readonly demands: "foreignRecord" | "isolation" | "dataShape" | null;
  /** A breach of `must` fails, of `should` warns; `observe` only records. */
  readonly level: "must" | "should" | "observe";
  readonly basis: "explicit" | "entailed" | "assumed" | "observed";
  /** Why it follows from the document, or is expected, when the document does not state it. */
  readonly why: string | null;
  /** Why no client can observe it; null when one can. */
  readonly unobservable: string | null;
  /** Open questions whose every tolerated answer passes. */
  readonly questions: readonly string[];
  /** Who owes it check and mutant, and the last day without them, in UTC: 2027-01-31; left out where it is no draft. */
  readonly draft?: { readonly owner: string; readonly expires: string };
}
