/** Words that the project avoids, and the words to use in their place. The lint and the glossary both read this table. */
export interface Replacement {
  /** Words and phrases to avoid, in every form that the lint looks for. */
  readonly avoid: readonly string[];
  /** The form that the glossary lists; by default the first form of each word. */
  readonly listed?: string;
  /** The words to use. */
  readonly use: string;
  /** The glossary entry that replaces them; null for ordinary English. */
  readonly term: string | null;
  /** Sentences that match this pattern may contain the words. */
  readonly unless?: RegExp;
  /** True if the words have other meanings too: the glossary alone lists them. */
  readonly isAmbiguous?: true;
}

export const replacements: readonly Replacement[] = [
  { avoid: ["tell", "tells", "told", "telling"], use: "report, print, list, show or return", term: null },
  { avoid: ["hear", "hears", "heard"], use: "receive, record or observe", term: null },
  { avoid: ["anew"], use: "again", term: null },
  { avoid: ["beside"], use: "next to, or in addition to", term: null },
  { avoid: ["but for"], use: "except", term: null },
  {
    avoid: ["leave to", "leave for", "leave of", "wants leave", "without leave"],
    listed: "leave",
    use: "permission",
    term: "permission",
  },
  { avoid: ["whoever"], use: "the caller, or anyone who", term: null },
  { avoid: ["in earnest"], use: "a verb that says what happens", term: null },
  { avoid: ["what became", "what becomes"], use: "the result of", term: null },
  { avoid: ["apart"], use: "separate, or distinguish", term: "common factor" },
  { avoid: ["lent", "lend", "lends"], use: "a hint from a related finding", term: "hint" },
  { avoid: ["held"], use: "passed, kept or stored", term: "pass" },
  { avoid: ["spared"], use: "skipped or unaffected", term: null },
  { avoid: ["by the letter"], use: "strictly by the JSON Schema specification", term: "strict comparison" },
  {
    avoid: ["lawful", "lawfully", "contrarian", "contrarians"],
    use: "conforming, conforming variant",
    term: "conforming variant",
  },
  { avoid: ["unlawful"], use: "non-conforming", term: "conforming" },
  { avoid: ["breach", "breaches", "breached"], use: "violation, violate", term: "violation" },
  { avoid: ["broken rule", "broken rules"], use: "failed rule", term: "fail" },
  {
    avoid: ["answer", "answers", "answered", "answering"],
    use: "response, return or respond",
    term: "response",
    unless: /\bquestions?\b/i,
  },
  {
    avoid: ["member", "members"],
    use: "property",
    term: "property",
    unless: /\b(?:class|enum|team|union|set|group) members?\b|\bmembers? of (?:the|a|an) (?:team|union|set|group)\b/i,
  },
  { avoid: ["sound input", "sound inputs", "sound call", "sound calls"], use: "valid request", term: "valid request" },
  { avoid: ["near miss", "near misses"], use: "invalid value close to a valid one", term: "boundary value" },
  {
    avoid: ["numbers of fiction", "number of fiction"],
    listed: "numbers of fiction",
    use: "reserved test number",
    term: "reserved test number",
  },
  { avoid: ["courier"], use: "delivery worker", term: "delivery worker" },
  { avoid: ["grave", "graver", "gravest", "mildest"], use: "severe, minor, severity", term: "severity" },
  ...ambiguous([
    ["API document", "the document"],
    ["error definition", "error row"],
    ["delivery log", "feed"],
    ["consume", "draw"],
    ["rule text", "sentence"],
    ["control request", "twin"],
    ["test setup", "arrangement"],
    ["capability", "need"],
    ["webhook listener", "receiver"],
    ["tested", "decided"],
    ["failure card", "card"],
    ["step", "story"],
    ["passing call", "contrast"],
    ["similar call", "like it"],
    ["likely cause", "likely", "guess"],
    ["retried call", "again"],
    ["diagnosis", "probe"],
    ["mutation", "edit"],
    ["group of variants", "pack"],
    ["exception", "concession"],
    ["union branch", "alternative"],
    ["restrict", "narrow"],
    ["relax", "wide"],
    ["open object", "open"],
  ]),
];

/** Words with other meanings, by the term that replaces them in one of these. */
function ambiguous(rows: readonly (readonly [term: string, ...avoid: readonly string[]])[]): readonly Replacement[] {
  return rows.map(([term, ...avoid]) => ({ avoid, use: term, term, isAmbiguous: true }));
}

/** Words that no name of ours is made of, and the words to use in their place. */
export interface NameReplacement {
  readonly avoid: readonly string[];
  readonly use: string;
  /** The lint rejects names with the word in any part, or names that consist of it. */
  readonly where: "any part" | "whole name";
}

export const nameReplacements: readonly NameReplacement[] = [
  { avoid: ["told", "tell", "tells"], use: "reported, rendered, or the noun for the value", where: "any part" },
  { avoid: ["heard", "hear"], use: "received, recorded, or onExchange", where: "any part" },
  { avoid: ["lent", "lend"], use: "related hints", where: "any part" },
  { avoid: ["apart"], use: "the noun for the difference", where: "any part" },
  { avoid: ["beside"], use: "adjacent, additional", where: "any part" },
  { avoid: ["held"], use: "passing, stored", where: "any part" },
  { avoid: ["meant"], use: "the noun for the value", where: "any part" },
  { avoid: ["anew"], use: "again", where: "any part" },
  { avoid: ["lawful"], use: "conforming", where: "any part" },
  { avoid: ["breach", "breaches"], use: "violation", where: "any part" },
  { avoid: ["spared"], use: "skipped, unaffected", where: "any part" },
  { avoid: ["strange"], use: "unexpected", where: "any part" },
  { avoid: ["patience"], use: "timeoutMs, maxAttempts", where: "any part" },
  {
    avoid: [
      "left",
      "given",
      "kept",
      "made",
      "met",
      "seen",
      "asked",
      "found",
      "came",
      "gone",
      "known",
      "chosen",
      "done",
    ],
    use: "a noun of the glossary, of HTTP, OpenAPI or JSON Schema",
    where: "whole name",
  },
  {
    avoid: ["about", "above", "across", "after", "again", "among", "before", "below", "besides", "between", "beyond"],
    use: "a noun of the glossary, of HTTP, OpenAPI or JSON Schema",
    where: "whole name",
  },
  {
    avoid: ["near", "once", "together", "under", "until", "within", "without", "otherwise", "alike"],
    use: "a noun of the glossary, of HTTP, OpenAPI or JSON Schema",
    where: "whole name",
  },
];

/** Nouns of a time span: a number with such a name says its unit. */
export const durationNouns: readonly string[] = [
  ...["timeout", "delay", "interval", "period", "duration", "ttl", "deadline", "patience", "grace", "pause", "wait"],
  ...["latency", "lifetime", "age", "backoff", "debounce", "lease"],
];

/** Endings that say the unit of a number. */
export const units: readonly string[] = [
  ...["Ms", "Us", "Ns", "Millis", "Milliseconds", "Seconds", "Secs", "Minutes", "Hours", "Days", "Weeks", "Months"],
  ...["Micros", "Bytes", "Attempts", "Tries", "Count", "Percent", "Ratio", "Factor", "Share"],
];

/** Subjects of published commits that stay as they are, by the start of their hash. */
export const publishedSubjects: readonly string[] = [];
