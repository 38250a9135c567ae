/** What signs an organization's callbacks: base64. Kept as it is, since a hash could sign nothing. */
export interface OrganizationSecrets {
  readonly current: string;
  /** Those that rotations have replaced, the latest first; some may be past their time. */
  readonly previous: readonly PreviousSecret[];
}

export interface PreviousSecret {
  readonly secret: string;
  /** The last instant at which it is valid: milliseconds since 1970. */
  readonly validUntil: number;
}

/** Bounds the signatures of a callback, and with them its headers, however often an organization rotates. */
const mostPrevious = 10;

/**
 * The secrets after a rotation at `at`, which does not shorten the time that earlier rotations have promised to the
 * secrets before.
 */
export function rotatedSecrets(
  before: OrganizationSecrets | null,
  current: string,
  at: number,
  previousUntil: number,
): OrganizationSecrets {
  if (before === null) return { current, previous: [] };
  const previous = [{ secret: before.current, validUntil: previousUntil }, ...before.previous];
  return { current, previous: previous.filter(({ validUntil }) => validUntil >= at).slice(0, mostPrevious) };
}
