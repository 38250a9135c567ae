import type { Lost, SentRequest } from "../exchange/exchange.ts";

/** Something that the kit did on the way to a finding, in the course of one check. */
export interface Step {
  /** Who was asked; "wait" where nobody was, and time passed. */
  readonly through: "api" | "sandbox" | "hook" | "wait";
  /** What for, such as "create an organization"; null for a call of the API, which says it itself. */
  readonly what: string | null;
  /** Number of the exchange in the run; null for anything but a call of the API. */
  readonly exchange: number | null;
  /** The contract's operation that a call of the API is; null or not there for anything else. */
  readonly operation?: string | null;
  /** Null for a hook, whose input may hold anything, and for waiting. */
  readonly request: SentRequest | null;
  /** What came of it; null where nothing can. */
  readonly outcome: StepOutcome | null;
  /** That were waited; null for anything but waiting. */
  readonly seconds: number | null;
  /** Milliseconds since the epoch, on the kit's clock. */
  readonly at: number;
  /** The same for when a call of the API was answered; not there for anything else. */
  readonly until?: number;
}

export type StepOutcome = Answered | Pick<Lost, "kind" | "reason">;

export interface Answered {
  readonly kind: "response";
  readonly status: number;
  /** The body as JSON; undefined where it is none, and in what is shown. */
  readonly json: unknown;
  /** In what is shown: the code of a refusal. */
  readonly code?: string;
  /** In what is shown: the status that the record of a success has. */
  readonly state?: string;
}

/** What was done on the way to a finding. */
export interface StorySoFar {
  /** In the order in which it began. */
  readonly steps: readonly Step[];
  /** What was done for values that were tried before; some of it may still be in use. */
  readonly before: readonly Step[];
}

/** A step as reports show it: what of its answer later ones use. */
export interface ToldStep extends Step {
  readonly gives: readonly Given[];
  /** What an organization's state was, or what of it is another since the look before; not there for any other step. */
  readonly tells?: string;
  /** How what it is made with stands to what was told before; not there where nothing does. */
  readonly standing?: Standing;
  /** The time of its organization where that stands still until the sandbox moves it; not there for any other step. */
  readonly now?: string;
}

/**
 * How what a call is made with stands to what the server told before, by name: a moment to one of an earlier refusal or to
 * the organization's time, as `scheduled_at =` "next_send_at + 1 h"; an id to its caller, as `x-target-org =` "the caller's own
 * organization"; and what was last told of a record that it names, as `{id}'s scheduled_at` "in the past", `brand_id's status`
 * "VERIFIED".
 */
export type Standing = readonly (readonly [name: string, text: string])[];

/** A story as reports show it. */
export interface ToldStory {
  readonly steps: readonly ToldStep[];
  /** Steps in the middle of a long story that are left out. */
  readonly omitted: number;
}

/** A value of an answer that a later request was made with. */
export interface Given {
  /** JSON Pointer into the body of the answer. */
  readonly pointer: string;
  /** The value; for a secret the name that stands for it, such as `${SECRET_7}`. */
  readonly value: string;
}
