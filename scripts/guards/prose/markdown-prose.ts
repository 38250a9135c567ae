import type { Prose } from "./problem.ts";

/** Paragraphs, list items, headings and table cells of a Markdown document, outside of code. */
export function markdownProse(markdown: string): readonly Prose[] {
  const found: Prose[] = [];
  let lines: string[] = [];
  let start = 0;
  const flush = (): void => {
    if (lines.length > 0) found.push({ line: start, text: lines.join(" "), isParagraph: true });
    lines = [];
  };
  let fence: string | null = null;
  for (const [index, raw] of markdown.split("\n").entries()) {
    const line = raw.replace(/^(\s*>)+\s?/, "");
    const [, mark = null] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== null) {
      if (mark?.startsWith(fence) === true) fence = null;
      continue;
    }
    if (mark !== null) {
      flush();
      fence = mark;
    } else if (/^\s*$/.test(line) || /^\s*(?:[-*_]\s*){3,}$/.test(line)) {
      flush();
    } else if (/^\s*\|/.test(line)) {
      flush();
      for (const text of cellsOf(line)) found.push({ line: index + 1, text, isParagraph: true });
    } else if (/^\s*#{1,6}\s/.test(line)) {
      flush();
      found.push({ line: index + 1, text: line.replace(/^\s*#+\s+/, ""), isParagraph: false });
    } else {
      const [item = ""] = /^\s*(?:[-*+]|\d+[.)])\s+/.exec(line) ?? [];
      if (item !== "") flush();
      if (lines.length === 0) start = index + 1;
      lines.push(withoutMarks(line.slice(item.length)));
    }
  }
  flush();
  return found;
}

/** Cells of a table's row; none for the line below its head. */
export function cellsOf(row: string): readonly string[] {
  if (/^[\s|:-]+$/.test(row)) return [];
  return row
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => withoutMarks(cell));
}

/** The text of a line without emphasis and markup. */
const withoutMarks = (line: string): string =>
  line
    .replaceAll(/<br\s*\/?>/g, ". ")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/(?<![\w`])[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?![\w`])/g, "")
    .trim();
