/** Instants before which nothing is kept, in milliseconds since 1970. */
export interface Retention {
  /** Events, with what of them was not delivered yet. Their attempts stay, and can no longer be replayed. */
  readonly eventsBefore: number;
  readonly attemptsBefore: number;
  /** Answers for retries, which are gone at the instant itself until which they are kept. */
  readonly answersUntil: number;
  /** Double opt-ins that are over and hosted forms, by when they expire. */
  readonly consentRequestsBefore: number;
}

/** Deletes what is no longer kept of deliveries, of answers for retries, and of recipients who were asked for consent. */
export interface RetentionStore {
  /**
   * Of organizations with a real clock, about `most` records at once at most. Gives how many it deleted; there may be
   * more to delete when they are `most` or more.
   */
  prune(retention: Retention, most: number): Promise<number>;
  /** All of one organization, with whatever clock. */
  pruneOrganization(organizationId: string, retention: Retention): Promise<void>;
}
