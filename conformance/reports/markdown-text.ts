import { printableLine } from "./printable.ts";

/** Foreign text on one line, no character of which steers Markdown or HTML; an @ mentions nobody. */
export const plain = (text: string): string =>
  printableLine(text)
    .replace(/[&<>\\`*[\]|~]|(?<!\w)_|_(?!\w)/g, (c) => `&#${c.charCodeAt(0)};`)
    .replaceAll("@", "@\u200b");

/** A sentence of the contract, whose backticks are meant. */
export const says = (text: string): string =>
  text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? code(part) : plain(part)))
    .join("");

/** Foreign text as a code span, so many characters of it at most; the fence is longer than any run of backticks in it. */
export function code(text: string, limit = 300): string {
  const line = printableLine(text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, ""));
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const gap = /^`|`$/.test(line) ? " " : "";
  return fence + gap + line + gap + fence;
}
