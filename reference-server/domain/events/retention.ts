import type { Choices } from "../../../generated/choices.ts";

const day = 86_400_000;

/**
 * How long the record of an attempt is kept, longer than events, so that a replay can tell what it comes too late for; and
 * how long that of an expired form, so that its page can say so.
 */
const recordDays = 90;

/** Instants before which nothing is kept, in milliseconds since 1970. */
export interface Retained {
  readonly eventsBefore: number;
  readonly attemptsBefore: number;
  /** Answers for retries say themselves until when they are kept. */
  readonly answersUntil: number;
  /** Double opt-ins that are over and hosted forms, by when they expire. */
  readonly consentRequestsBefore: number;
}

export const retainedAt = (now: number, choices: Pick<Choices, "eventRetentionDays">): Retained => ({
  eventsBefore: now - Number(choices.eventRetentionDays) * day,
  attemptsBefore: now - recordDays * day,
  answersUntil: now,
  consentRequestsBefore: now - recordDays * day,
});
