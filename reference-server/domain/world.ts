/** What the server takes from outside itself, so that a test can give it instead. */
export interface World {
  /** Milliseconds since 1970 in UTC. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  /** A new identifier for a record. */
  readonly newId: () => string;
}
