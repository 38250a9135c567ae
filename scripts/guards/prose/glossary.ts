import { type Replacement, replacements } from "./words.ts";

export const glossaryPath = "docs/glossary.md";

/** Marks the table of ordinary words, which has no term. */
const [begin, end] = ["<!-- words -->", "<!-- end of words -->"];

/** The glossary with its lists of words to avoid printed from the table that the lint uses. */
export function filledGlossary(markdown: string): string {
  const [before = "", rest = ""] = markdown.split(`${begin}\n`);
  const [, after = ""] = rest.split(`${end}\n`);
  const lines = before.split("\n").map((line) => filledRow(line));
  return `${lines.join("\n")}${begin}\n${wordTable()}${end}\n${after}`;
}

/** A row that defines a term: the term, its meaning, the words that it replaces, and its source. */
const rowPattern = /^\| \*\*([^*|]+)\*\* \| ([^|]+) \| [^|]*\| ([^|]*)\|$/;

function filledRow(line: string): string {
  const [, term, meaning = "", source = ""] = rowPattern.exec(line) ?? [];
  if (term === undefined) return line;
  const cells = [`**${term}**`, meaning.trim(), avoidedFor(term), source.trim()];
  return `|${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`;
}

const avoidedFor = (term: string): string =>
  replacements
    .filter((replacement) => replacement.term === term)
    .map(quoted)
    .join(", ");

/** Words in quotation marks; of several forms of one word, the first. */
const quoted = ({ avoid }: Replacement): string =>
  avoid
    .filter((word, index) => !avoid.slice(0, index).some((earlier) => word.startsWith(earlier)))
    .map((word) => `"${word}"`)
    .join(", ");

function wordTable(): string {
  const rows = replacements.filter(({ term }) => term === null).map((words) => `| ${quoted(words)} | ${words.use} |`);
  return ["| avoid | use |", "| --- | --- |", ...rows, ""].join("\n");
}

/** Terms that the glossary defines. */
export const definedTerms = (markdown: string): readonly string[] =>
  markdown.split("\n").flatMap((line) => rowPattern.exec(line)?.[1] ?? []);
