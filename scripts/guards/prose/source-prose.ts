import type { ParseResult } from "oxc-parser";
import type { Prose } from "./problem.ts";
import { collect, isNode, lineCounter, type Node, nameOf, textOf } from "./syntax.ts";

/** Comments, titles of tests and checks, and help texts of a TypeScript file. */
export function sourceProse(path: string, text: string, parsed: ParseResult): readonly Prose[] {
  const lineAt = lineCounter(text);
  return [...commentsOf(text, parsed, lineAt), ...(hasTitles(path) ? titlesOf(parsed, lineAt) : [])].sort(
    (one, other) => one.line - other.line,
  );
}

/** True if a file may have titles or help texts. The tree of other files is not needed, and costs most of the time. */
const hasTitles = (path: string): boolean =>
  path.endsWith(".test.ts") ||
  /^conformance\/(?:checks|steps)\//.test(path) ||
  /^scripts\/(?:[\w-]+\.ts$|commands\/)/.test(path);

function commentsOf(text: string, { comments }: ParseResult, lineAt: (offset: number) => number): readonly Prose[] {
  const found: { line: number; end: number; texts: string[]; isLine: boolean }[] = [];
  for (const { type, value, start, end } of comments) {
    if (isDirective(value)) continue;
    const last = found.at(-1);
    const line = lineAt(start);
    // Line comments that follow each other are one text.
    if (type === "Line" && last?.isLine === true && lineAt(last.end) === line - 1 && startsLine(text, start)) {
      last.texts.push(value.trim());
      last.end = end;
      continue;
    }
    const texts =
      type === "Line" ? [value.trim()] : value.split("\n").map((row) => row.replace(/^\s*\*+\s?/, "").trim());
    found.push({ line, end, texts, isLine: type === "Line" });
  }
  return found.flatMap(({ line, texts }) => paragraphsOf(line, texts));
}

/** Paragraphs of a comment: an empty line, a tag or a list item begins another one. */
function paragraphsOf(line: number, texts: readonly string[]): readonly Prose[] {
  const found: { line: number; rows: string[] }[] = [{ line, rows: [] }];
  for (const [index, text] of texts.entries()) {
    const begin = /^(?:@\w+\s*(?:\{[^}]*\}\s*)?|[-*]\s+)/.exec(text)?.[0] ?? "";
    if (text === "" || begin !== "") found.push({ line: line + index, rows: [] });
    const last = found.at(-1);
    if (last?.rows.length === 0) last.line = line + index;
    if (text !== "") last?.rows.push(text.slice(begin.length));
  }
  return found
    .map(({ line: start, rows }) => ({ line: start, text: rows.join(" ").trim(), isParagraph: false }))
    .filter(({ text }) => text !== "");
}

const isDirective = (value: string): boolean =>
  /^\s*(?:biome-ignore|@ts-|v8 ignore|c8 ignore|\/ <reference|[!#]|<\/?[a-z]+>)/.test(value);

const startsLine = (text: string, offset: number): boolean =>
  /^\s*$/.test(text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset));

/** Functions of Vitest whose first argument is a title. */
const testFunctions = new Set(["it", "test", "describe"]);
/** Methods of Commander with the position of their text among the arguments. */
const helpMethods: ReadonlyMap<string, number> = new Map([
  ["description", 0],
  ["summary", 0],
  ["option", 1],
  ["requiredOption", 1],
  ["argument", 1],
  ["Option", 1],
  ["Argument", 1],
]);

function titlesOf({ program }: ParseResult, lineAt: (offset: number) => number): readonly Prose[] {
  if (!isNode(program)) return [];
  return collect(program, (node) => {
    const text = titleOf(node);
    return text === null ? null : { line: lineAt(node.start), text, isParagraph: false };
  });
}

function titleOf(node: Node): string | null {
  if (node.type === "Property" || node.type === "VariableDeclarator") return ownTitle(node);
  if ((node.type !== "CallExpression" && node.type !== "NewExpression") || !Array.isArray(node.arguments)) return null;
  if (testFunctions.has(rootName(node.callee) ?? "")) return textOf(node.arguments[0]);
  const position = helpMethods.get(nameOf(node.callee) ?? "");
  return position === undefined ? null : textOf(node.arguments[position]);
}

/** The title of a check, the summary of a command, or the text of a constant with help. */
function ownTitle(node: Node): string | null {
  if (node.type === "Property")
    return ["title", "summary"].includes(nameOf(node.key) ?? "") ? textOf(node.value) : null;
  if (!/^help$|Help$/.test(nameOf(node.id) ?? "")) return null;
  // Examples and tables of a help are no sentences.
  return (
    textOf(node.init)
      ?.split("\n")
      .filter((line) => /^\S/.test(line))
      .join(". ") ?? null
  );
}

/** The first name of a call such as `it.each(rows)("title")`. */
function rootName(callee: unknown): string | null {
  if (!isNode(callee)) return null;
  if (callee.type === "CallExpression") return rootName(callee.callee);
  if (callee.type === "TaggedTemplateExpression") return rootName(callee.tag);
  if (callee.type === "MemberExpression") return rootName(callee.object);
  return callee.type === "Identifier" ? String(callee.name) : null;
}
