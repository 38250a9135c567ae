import { type Document, isScalar, visit, type YAMLError } from "yaml";

/**
 * What keeps a document from being read. How far a closing bracket is indented is a matter of YAML's letter: what it holds is
 * known. That an object merges by several `<<` is said of no name twice.
 */
export const faultsOf = ({ errors }: Document, text: string): readonly YAMLError[] =>
  errors.filter(({ code, message, pos: [start] }) => {
    if (code === "DUPLICATE_KEY") return !/^<<\s*:/.test(text.slice(start, start + mostBetween));
    return (
      code !== "BAD_INDENT" || !message.includes("must be sufficiently indented") || !"]}".includes(text[start] ?? " ")
    );
  });

/** Characters of a name and of what may stand between it and its colon. */
const mostBetween = 20;

/** Quoted texts that are indented anew, at most. */
export const mostIndented = 50;

/**
 * A YAML text with the lines of one quoted text, or of one pair of brackets, indented more than what holds it: YAML asks for it,
 * and most readers do not. The space before such lines is no part of the value. Null where the error is of something else.
 */
export function withIndentedPart(text: string, document: Document, error: YAMLError): string | null {
  return withIndentedQuote(text, document, error) ?? withIndentedBrackets(text, error.pos[0]);
}

function withIndentedQuote(text: string, document: Document, error: YAMLError): string | null {
  if (error.code !== "MISSING_CHAR") return null;
  const start = startOfQuote(document, error.pos[0]);
  const [quoted] = start === null ? [] : (quotedText.exec(text.slice(start)) ?? []);
  if (start === null || quoted === undefined || !quoted.includes("\n")) return null;
  const column = start - (text.lastIndexOf("\n", start) + 1);
  const indented = quoted.replaceAll(/\n[ \t]*(?=[^\s])/g, `\n${" ".repeat(column + 1)}`);
  return indented === quoted ? null : `${text.slice(0, start)}${indented}${text.slice(start + quoted.length)}`;
}

const quotedText = /^(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*')/;

/** Lines before an error in which the brackets may open that it is about. */
const mostLines = 200;

function withIndentedBrackets(text: string, offset: number): string | null {
  let end = text.indexOf("\n", offset);
  if (end < 0) end = text.length;
  for (let count = 0; count < mostLines && end > 0; count += 1) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, end);
    const [opened] = /^\s*(?:- )*[^\s#{[][^{[]*: *[{[]\s*$/.exec(line) ?? [];
    const close = opened === undefined ? null : endOfBrackets(text, start + opened.trimEnd().length - 1);
    const indent = line.search(/\S/);
    if (close !== null && close >= offset) {
      const inner = text.slice(end, close);
      const isOutdented = inner.split("\n").some((one) => one.trim() !== "" && one.search(/\S/) <= indent);
      if (!isOutdented) return null;
      return `${text.slice(0, end)}${inner.replaceAll(/\n(?=.)/g, `\n${" ".repeat(indent + 1)}`)}${text.slice(close)}`;
    }
    end = start - 1;
  }
  return null;
}

/** Where brackets are closed that open at an offset; null where they are not. */
function endOfBrackets(text: string, start: number): number | null {
  let depth = 0;
  for (const { 0: token, index } of text.slice(start).matchAll(bracketsAndQuotes)) {
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (depth === 0) return start + index + 1;
  }
  return null;
}

const bracketsAndQuotes = /[{}[\]]|"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*'/g;

/** Where the quoted text begins that was taken to end at an offset. */
function startOfQuote(document: Document, end: number): number | null {
  let found: number | null = null;
  visit(document, (_, node) => {
    if (!isScalar(node) || !node.range || (node.type !== "QUOTE_DOUBLE" && node.type !== "QUOTE_SINGLE")) return;
    const [from, to] = node.range;
    if (from < end && end <= to + 1) found = from;
  });
  return found;
}
