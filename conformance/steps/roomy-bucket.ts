/** A bucket that no check empties, for limits that a sandbox sets where they are not what is judged. */
export const roomyBucket = { capacity: 1_000_000, period_seconds: 1 };
