import { createHash } from "node:crypto";
import type { Choices } from "../../../generated/choices.ts";
import { type ErrorRowName, errorRows } from "../../../generated/error-rows.ts";
import { Refusal } from "../../../generated/runtime/refusal.ts";
import { canonicalJson } from "../canonical-json.ts";

const hour = 3_600_000;

/** What makes a call another try of one before it: the operation and the client's key. */
export interface Retry {
  readonly operation: string;
  readonly key: string;
  /** SHA-256 of what the call asks for, by which a key that is used for something else is found out. */
  readonly fingerprint: string;
}

/** What a call was answered that did something. */
export interface KeptAnswer extends Retry {
  /** JSON: the payload, or the refusal. */
  readonly answer: string;
  /** Milliseconds since 1970; from then on the key is as good as new. */
  readonly keptUntil: number;
}

/** Thrown where a call was answered before, so that nothing is done again. */
export class AnsweredBefore extends Error {
  readonly kept: KeptAnswer;

  constructor(kept: KeptAnswer) {
    super("The call was answered before.");
    this.name = "AnsweredBefore";
    this.kept = kept;
  }
}

export const retryOf = (operation: string, key: string, asksFor: unknown): Retry => ({
  ...{ operation, key },
  fingerprint: createHash("sha256").update(canonicalJson(asksFor)).digest("hex"),
});

export const keptAnswer = (
  retry: Retry,
  answer: unknown,
  now: number,
  { idempotencyKeyHours }: Pick<Choices, "idempotencyKeyHours">,
): KeptAnswer => ({
  ...retry,
  answer: JSON.stringify(
    answer instanceof Refusal
      ? { refusal: { row: answer.row, message: answer.message, details: answer.details } }
      : { data: answer },
  ),
  keptUntil: now + Number(idempotencyKeyHours) * hour,
});

/** Whether an answer is kept for retries: a refusal changed nothing, and leaves the key to a call that does something. */
export const isKept = (answer: unknown, { failedLookupRetry }: Pick<Choices, "failedLookupRetry">): boolean =>
  !(answer instanceof Refusal) || (failedLookupRetry === "same-failure" && isFailure(answer));

const isFailure = ({ row }: Refusal): boolean => isRowName(row) && errorRows[row].referenceStatus >= 500;

/** What a retry is answered: the payload, or a refusal. */
export function answerAgain(kept: KeptAnswer): Refusal | { readonly data: unknown } {
  const { data, refusal }: { data?: unknown; refusal?: KeptRefusal } = JSON.parse(kept.answer);
  return refusal === undefined ? { data } : new Refusal(refusal.row, refusal.message, detailsOf(refusal));
}

interface KeptRefusal {
  readonly row: string;
  readonly message: string;
  readonly details: Readonly<Record<string, string>> | null;
}

const detailsOf = ({ details }: KeptRefusal) => (details === null ? {} : { details });

const isRowName = (name: string): name is ErrorRowName => Object.hasOwn(errorRows, name);
