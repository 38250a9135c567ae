import { type Replacement, replacements } from "./words.ts";

export const glossaryPath = "docs/glossary.md";

/** The comments around the list of ordinary words, which has no terms. */
const begin = "<!-- words -->\n";
const end = "<!-- end of words -->\n";

/** The glossary with its words to avoid printed from the table that the lint uses. */
export function filledGlossary(markdown: string): string {
  const [before = "", rest = ""] = markdown.split(begin);
  const [, after = ""] = rest.split(end);
  return before.replaceAll(entryPattern, filledEntry) + begin + wordList() + end + after;
}

/** The list item of a term, with its further lines. */
const entryPattern = /^- \*\*([^*]+)\*\*: .*\n(?: {2}.*\n)*/gm;

/** An entry has its definition, the words that it replaces on one line, and its source on the last line. */
function filledEntry(entry: string, term: string): string {
  const lines = entry.split("\n").filter((line) => line !== "" && !line.startsWith("  Instead of "));
  const source = lines.filter((line) => line.startsWith("  From "));
  const definition = lines.filter((line) => !source.includes(line));
  const avoided = replacements.filter((replacement) => replacement.term === term).map(quoted);
  const instead = avoided.length === 0 ? [] : [`  Instead of ${avoided.join(", ")}.`];
  return [...definition, ...instead, ...source].map((line) => `${line}\n`).join("");
}

/** Words in quotation marks; of several forms of one word, the first. */
const quoted = ({ avoid, listed }: Replacement): string =>
  (listed === undefined ? avoid : [listed])
    .filter((word, index) => !avoid.slice(0, index).some((earlier) => word.startsWith(earlier)))
    .map((word) => `"${word}"`)
    .join(", ");

function wordList(): string {
  const rows = replacements.filter(({ term }) => term === null).map((words) => `- ${quoted(words)}: ${words.use}\n`);
  return `\n${rows.join("")}\n`;
}

/** Terms that the glossary defines. */
export const definedTerms = (markdown: string): readonly string[] =>
  [...markdown.matchAll(entryPattern)].map(([, term = ""]) => term);
