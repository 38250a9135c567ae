import type { Problem, Prose } from "./problem.ts";
import { type Replacement, replacements } from "./words.ts";

const maxSentenceWords = 25;
const maxParagraphWords = 90;
const maxShownCharacters = 90;

/** Problems of a piece of English. */
export function judgeProse({ line, text, isParagraph }: Prose): readonly Problem[] {
  const plain = withoutQuotations(text);
  const sentences = sentencesOf(plain);
  return [
    ...sentences.flatMap((sentence) => sentenceProblems(sentence, line)),
    ...(isParagraph && wordCount(plain) > maxParagraphWords
      ? [
          {
            kind: "paragraph" as const,
            line,
            text: shortened(plain),
            advice: `${wordCount(plain)} words; split paragraphs over ${maxParagraphWords} words, or write a list`,
          },
        ]
      : []),
  ];
}

function sentenceProblems(sentence: string, line: number): readonly Problem[] {
  const text = shortened(sentence);
  const clause = clauseStart(sentence);
  // The parts of a list after a colon, or on both sides of a semicolon, read as sentences of their own.
  const longest = Math.max(...sentence.split(/[:;]\s/).map(wordCount));
  return [
    ...(clause === null
      ? []
      : [
          {
            kind: "clause" as const,
            line,
            text,
            advice: clauseAdvice(clause),
          },
        ]),
    ...(anyWord.test(sentence) ? patterns : []).flatMap(({ pattern, replacement: { use, unless } }) =>
      unless?.test(sentence) === true
        ? []
        : [...sentence.matchAll(pattern)].map(({ 0: found, index }) => ({
            kind: "word" as const,
            line,
            text: shortened(sentence, index),
            advice: `"${found.toLowerCase()}" → ${use}`,
          })),
    ),
    ...(longest > maxSentenceWords
      ? [{ kind: "long" as const, line, text, advice: `${longest} words; at most ${maxSentenceWords} in a sentence` }]
      : []),
  ];
}

const linted = replacements.filter(({ isAmbiguous = false }) => !isAmbiguous);

/** Finds sentences with a word to avoid at a lower cost than all patterns. */
const anyWord = new RegExp(
  `\\b(?:${linted.flatMap(({ avoid }) => avoid.map((words) => words.replaceAll(" ", "\\s+"))).join("|")})\\b`,
  "i",
);

const patterns: readonly { readonly pattern: RegExp; readonly replacement: Replacement }[] = linted.map(
  (replacement) => ({
    // The longest phrase first: one place is one problem.
    pattern: new RegExp(
      `(?<![\\w-])(?:${replacement.avoid
        .toSorted((one, other) => other.length - one.length)
        .map((words) => words.replaceAll(" ", "\\s+"))
        .join("|")})(?![\\w-])`,
      "gi",
    ),
    replacement,
  }),
);

const clauseAdvice = (word: string): string =>
  word.toLowerCase() === "whether"
    ? `a sentence begins with "${word}": write "True if …", or "Returns true if …"`
    : `a sentence begins with a "${word}" clause: begin with the actor or the thing`;

/** The word that begins a clause in the subject's place; null for any other sentence. Questions may begin with it. */
function clauseStart(sentence: string): string | null {
  if (/\?["')\]]*$/.test(sentence)) return null;
  const [, word = null] = /^["'(]*(What|Who|Whoever|Whatever|Whether|Whose|Of|That)\s/i.exec(sentence) ?? [];
  // "That" as a pronoun or before a noun that a verb follows is a plain subject.
  if (
    word?.toLowerCase() === "that" &&
    /^["'(]*that\s(?:is|was|means|makes|would|will|can|must|may|way)\b/i.test(sentence)
  )
    return null;
  if (word?.toLowerCase() === "of" && /^["'(]*of course\b/i.test(sentence)) return null;
  return word;
}

/** Sentences of a paragraph. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .replaceAll(/\b(e\.g|i\.e|cf|vs|etc)\.(?=\s)/gi, (abbreviation) => abbreviation.replaceAll(".", ""))
    .split(/(?<=[.!?]["')\]]*)\s+(?=["'([]*[\p{Lu}\d])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** The text with code, addresses and quotations as one word each: these are not the author's English. */
function withoutQuotations(text: string): string {
  return text
    .replaceAll(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, "Code")
    .replaceAll(/\{@link[^}]*\}/g, "Code")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/https?:\/\/\S+/g, "Address")
    .replaceAll(/"[^"\n]{0,200}?"|“[^”]*”/g, '"Quotation"')
    .replaceAll(/\s+/g, " ")
    .trim();
}

const wordCount = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;

/** A part of a text of limited length, which contains the character at an index. */
function shortened(text: string, index = 0): string {
  const start = index < maxShownCharacters / 2 ? 0 : index - maxShownCharacters / 2;
  const part = text.slice(start, start + maxShownCharacters);
  return `${start > 0 ? "…" : ""}${part}${start + part.length < text.length ? "…" : ""}`;
}
