import { AnsweredBefore, isKept, keptAnswer } from "../domain/idempotency/kept-answer.ts";
import type { Caller } from "../domain/organizations/caller.ts";
import type { Store } from "../store/store.ts";
import type { UnitOfWork } from "../store/unit-of-work.ts";

export interface OnceParts {
  readonly store: Store;
  /** In the organization's time. */
  readonly now: number;
  /** Whether a failure of the platform is a result, which a retry gets again, or leaves the key to another try. */
  readonly failuresToo: boolean;
}

/**
 * A unit of work that a retry does not do again: what it does and what is answered are stored together, or neither, so
 * that whenever the server stops and however many calls come at once, there is one effect. Throws `AnsweredBefore`
 * where there was one already.
 */
export const once = <Answer>(
  { store, now, failuresToo }: OnceParts,
  { organization, retry }: Caller,
  work: (tx: UnitOfWork) => Promise<Answer>,
): Promise<Answer> =>
  store.atomically(organization.id, async (tx) => {
    const kept = retry && (await tx.answers.find(retry, now));
    if (kept) throw new AnsweredBefore(kept);
    const answer = await work(tx);
    if (retry && isKept(answer, failuresToo)) await tx.answers.keep(keptAnswer(retry, answer, now), now);
    return answer;
  });
