import type { ServiceName } from "../../compiler/contract.ts";
import type { Change } from "../../compiler/diff/change.ts";
import { compareTriples, type SemanticVersion, semanticVersion, tripleText } from "./semantic-version.ts";

export const bumps = ["none", "patch", "minor", "major"] as const;
export type Bump = (typeof bumps)[number];

/** What the changes ask of the version, and what the two sides declare. */
export interface VersionAdvice {
  readonly base: string;
  readonly head: string;
  readonly needed: Bump;
  /** The smallest version that is enough; null when the base's is no semantic version. */
  readonly suggested: string | null;
  /** Null when that can't be told, as a version is no semantic one. */
  readonly enough: boolean | null;
}

/**
 * A service for tests has a version of its own, so its changes don't count; `testing` names those. That a change is accepted does not make it
 * smaller: those who call the API meet it all the same.
 */
export function versionAdvice(
  base: string,
  head: string,
  changes: readonly Pick<Change, "id" | "direction" | "verdict" | "service">[],
  testing: ReadonlySet<ServiceName>,
): VersionAdvice {
  const before = semanticVersion(base);
  const asked = changes
    .filter(({ service }) => !testing.has(service))
    .map(bumpOf)
    .reduce<Bump>((most, bump) => (bumps.indexOf(bump) > bumps.indexOf(most) ? bump : most), "none");
  const needed = before?.major === 0 ? beforeOne(asked) : asked;
  if (before === null)
    return { base, head, needed, suggested: null, enough: base === head && needed === "none" ? true : null };
  const wanted = smallestAfter(before, needed);
  const declared = semanticVersion(head);
  const isNew = needed === "none" || head !== base;
  const enough = declared === null ? null : compareTriples(declared, wanted) >= 0 && isNew;
  return { base, head, needed, suggested: tripleText(wanted), enough };
}

/** What can be used anew asks for a minor version, and so does a deprecation (SemVer 7). */
function bumpOf({ verdict, direction, id }: Pick<Change, "id" | "direction" | "verdict">): Bump {
  switch (verdict) {
    case "breaking":
      return "major";
    case "risky":
      return "minor";
    case "safe":
      return direction === "neutral" && !id.endsWith("-deprecated") ? "patch" : "minor";
  }
}

/** SemVer 4: before 1.0.0 anything may change; the custom is one place lower. */
function beforeOne(bump: Bump): Bump {
  switch (bump) {
    case "major":
      return "minor";
    case "minor":
      return "patch";
    case "patch":
    case "none":
      return bump;
  }
}

function smallestAfter(version: SemanticVersion, bump: Bump): SemanticVersion {
  const { major, minor, patch, prerelease } = version;
  // A pre-release announces its release; until then anything may change.
  if (prerelease !== null) return { ...version, prerelease: null };
  switch (bump) {
    case "major":
      return { major: major + 1, minor: 0, patch: 0, prerelease: null };
    case "minor":
      return { major, minor: minor + 1, patch: 0, prerelease: null };
    case "patch":
      return { major, minor, patch: patch + 1, prerelease: null };
    case "none":
      return version;
  }
}

/** The advice as sentences. */
export function versionText({ base, head, needed, suggested, enough }: VersionAdvice): string {
  const asked = needed === "none" ? "The changes ask for no new version" : `The changes ask for a ${needed} version`;
  if (suggested === null) {
    return `${asked}; the base declares ${notSemantic(base)}, so none is suggested.`;
  }
  const from = needed === "none" ? `${asked}.` : `${asked}: ${base} → ${suggested} or later.`;
  if (enough === null) return `${from} The head declares ${notSemantic(head)}.`;
  if (!enough) return `${from} The head declares ${head}, which is too small.`;
  return head === base ? from : `${from} The head declares ${head}.`;
}

const notSemantic = (version: string): string =>
  version === "" ? "no version" : `${version}, which is no semantic version`;
