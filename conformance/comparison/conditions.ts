import { profileNames } from "../reports/headline.ts";
import type { Results } from "../reports/results-json.ts";

/** Something that a run was made with. */
export interface Condition {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly differs: boolean;
}

const conditions: readonly { readonly name: string; readonly of: (results: Results) => string }[] = [
  { name: "bylaw", of: ({ kitVersion }) => kitVersion },
  {
    name: "contract",
    of: ({ contract: { title, version, digest } }) => `${title} ${version}, SHA-256 ${digest.slice(0, 16)}`,
  },
  { name: "target", of: ({ target }) => target.baseUrl },
  { name: "sandbox", of: ({ target }) => (target.sandbox ? "offered" : "none") },
  { name: "implements", of: ({ target }) => target.implements?.join(", ") ?? "everything" },
  { name: "profile", of: ({ profile }) => profileNames[profile] },
  { name: "leave", of: ({ allow }) => (allow.length === 0 ? "none" : allow.join(", ")) },
  { name: "asked for", of: ({ only }) => (only.length === 0 ? "everything" : only.join(", ")) },
  { name: "left out", of: ({ skip }) => (skip.length === 0 ? "nothing" : skip.join(", ")) },
  { name: "seed", of: ({ seed }) => String(seed) },
  { name: "values", of: ({ runs }) => `${runs} for each property` },
  { name: "ended", of: ({ interrupted }) => (interrupted === null ? "properly" : `early: ${interrupted}`) },
];

/** What two runs were made with. */
export const conditionsOf = (earlier: Results, later: Results): readonly Condition[] =>
  conditions.map(({ name, of }) => {
    const [before, after] = [of(earlier), of(later)];
    return { name, before, after, differs: before !== after };
  });
