import type { Place } from "./contract.ts";

/** One thing wrong with a contract, with where it stands and what to do. */
export interface Problem {
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly message: string;
  /** What to do about it, when the message alone does not say. */
  readonly fix: string | null;
  /** Null when the problem has no place in a file. */
  readonly place: Place | null;
}
