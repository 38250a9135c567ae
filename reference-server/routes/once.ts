import type { Choices } from "../../generated/choices.ts";
import { AnsweredBefore, isKept, keptAnswer } from "../domain/idempotency/kept-answer.ts";
import type { Caller } from "../domain/organizations/caller.ts";
import type { Store } from "../store/store.ts";
import type { UnitOfWork } from "../store/unit-of-work.ts";

export interface OnceParts {
  readonly store: Store;
  /** In the organization's time. */
  readonly now: number;
  /** How long an answer is kept, and whether a failure of the platform is one, or leaves the key to another try. */
  readonly choices: Pick<Choices, "failedLookupRetry" | "idempotencyKeyHours">;
}

/**
 * A unit of work that a retry does not do again: what it does and what is answered are stored together, or neither, so
 * that whenever the server stops and however many calls come at once, there is one effect. Throws `AnsweredBefore`
 * where there was one already.
 */
export const once = <Answer>(
  { store, now, choices }: OnceParts,
  { organization, retry }: Caller,
  work: (tx: UnitOfWork) => Promise<Answer>,
): Promise<Answer> =>
  store.atomically(organization.id, async (tx) => {
    const kept = retry && (await tx.answers.find(retry, now));
    if (kept) throw new AnsweredBefore(kept);
    const answer = await work(tx);
    if (retry && isKept(answer, choices)) await tx.answers.keep(keptAnswer(retry, answer, now, choices), now);
    return answer;
  });
