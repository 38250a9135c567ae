import { stripVTControlCharacters } from "node:util";

/** Columns that a text takes, colours aside. Wide characters count one. */
export const widthOf = (text: string): number => [...stripVTControlCharacters(text)].length;

export const padEnd = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - widthOf(text)));

export const padStart = (text: string, width: number): string => " ".repeat(Math.max(0, width - widthOf(text))) + text;

/** Lines of at most `width` columns, broken between words; a longer word stays whole. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (line !== "" && widthOf(joined) > width) {
      lines.push(line);
      line = word;
    } else line = joined;
  }
  return [...lines, line];
}

/** A label with its text beside it; further lines stand under the first. */
export function labelled(label: string, text: string, labelWidth: number, width: number): readonly string[] {
  const lines = text.split("\n").flatMap((line) => wrapped(line, Math.max(30, width - labelWidth)));
  return lines.map((line, index) => padEnd(index === 0 ? label : "", labelWidth) + line);
}

/** Columns under their heads: the first ones to the left, figures to the right. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  leftColumns = 1,
): { readonly head: string; readonly rows: readonly string[] } {
  const widths = heads.map((head, column) => Math.max(...[head, ...rows.map((row) => row[column] ?? "")].map(widthOf)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column < leftColumns ? padEnd : padStart)(cell, widths[column] ?? 0))
      .join("   ")
      .trimEnd();
  return { head: line(heads), rows: rows.map(line) };
}
