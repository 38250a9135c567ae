/** A version by SemVer 2.0.0; of `1` or `v1.2` the missing parts are zero. */
export interface SemanticVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** `rc.1` of `2.0.0-rc.1`; null for a release. */
  readonly prerelease: string | null;
}

const form = /^v?(\d{1,9})(?:\.(\d{1,9})(?:\.(\d{1,9})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?)?)?$/;

/** Null for what is no such version, as a date or a name. */
export function semanticVersion(text: string): SemanticVersion | null {
  const [whole, major, minor = "0", patch = "0", prerelease = null] = form.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), prerelease };
}

/** Below, at or above zero as the first comes before, equals or comes after the second; pre-releases aside. */
export const compareTriples = (one: SemanticVersion, other: SemanticVersion): number =>
  one.major - other.major || one.minor - other.minor || one.patch - other.patch;

export const tripleText = ({ major, minor, patch }: SemanticVersion): string => `${major}.${minor}.${patch}`;
