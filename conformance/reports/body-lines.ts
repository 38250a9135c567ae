import { childPointer, namesIn } from "../evidence/json-pointer.ts";
import { printable } from "./printable.ts";

/** A part of a body that a finding points at. */
export interface BodyMark {
  /** JSON Pointer. */
  readonly pointer: string;
  /** Nothing stands there. */
  readonly missing: boolean;
  /** What is admitted there, such as `expected: true`; empty where there is no short word for it. */
  readonly note: string;
}

/** A line of a body as people read it. */
export interface BodyLine {
  readonly text: string;
  /** What points at it; null for what only stands around. */
  readonly mark: Pick<BodyMark, "note"> | null;
}

/**
 * A body as people read it: JSON that fits on a line stays on one unless something in it is marked, longer JSON is
 * indented. All is cut to so many characters, but for what is marked and what stands around that.
 */
export function bodyLines(text: string, limit: number, marks: readonly BodyMark[] = []): readonly BodyLine[] {
  const tree = text.length > shortLine || marks.length > 0 ? treeOf(text) : null;
  if (tree === null) return plainLines(text, limit, marks[0] ?? null);
  const lines = linesOf(tree, 0, marks).map((line) => ({ ...line, text: printable(line.text) }));
  if (lengthOf(lines) <= limit) return lines;
  // A long text takes the room of all that stands behind it.
  const shortened = lines.map((line) => (line.mark === null ? { ...line, text: clipped(line.text) } : line));
  if (lengthOf(shortened) <= limit) return shortened;
  const all = shortened.map((line) => line.text).join("\n");
  return marks.length === 0 ? plainLines(all, limit, null) : folded(shortened, limit);
}

const lengthOf = (lines: readonly BodyLine[]): number => lines.reduce((sum, { text }) => sum + text.length + 1, -1);

/** Characters of a line that is not marked, where not all of them have room. */
const longestLine = 160;

const clipped = (text: string): string =>
  text.length > longestLine
    ? `${text.slice(0, longestLine / 2).replace(/[\uD800-\uDBFF]$/, "")}… (${text.length - longestLine / 2} characters more)`
    : text;

const shortLine = 100;

function plainLines(text: string, limit: number, mark: BodyMark | null): readonly BodyLine[] {
  const whole = printable(text);
  const shown = whole.slice(0, limit).replace(/[\uD800-\uDBFF]$/, "");
  const cut = whole.length > limit ? `${shown}… (${whole.length - shown.length} characters more)` : whole;
  return cut.split("\n").map((line, index) => ({ text: line, mark: index === 0 ? mark : null }));
}

/** A value of JSON whose tokens stay as they were written, so that evidence is not altered. */
interface Tree {
  readonly pointer: string;
  /** Name and colon where it is a member. */
  readonly head: string;
  /** The token of a text, a number or a word; what opens a list or an object. */
  readonly opening: string;
  /** Null for what holds nothing. */
  readonly inner: readonly Tree[] | null;
}

/** Null for what is no JSON, or is nested too deep to be read. */
function treeOf(text: string): Tree | null {
  if (!isJson(text)) return null;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g) ?? [];
  let next = 0;

  function value(pointer: string, head: string): Tree {
    const opening = tokens[next++] ?? "";
    if (opening !== "{" && opening !== "[") return { pointer, head, opening, inner: null };
    const inner: Tree[] = [];
    while (tokens[next] !== "}" && tokens[next] !== "]" && next < tokens.length) {
      const name = opening === "{" ? (tokens[next] ?? "") : "";
      if (opening === "{") next += 2;
      const key = opening === "{" ? String(JSON.parse(name)) : String(inner.length);
      inner.push(value(childPointer(pointer, key), opening === "{" ? `${name}: ` : ""));
      if (tokens[next] === ",") next += 1;
    }
    next += 1;
    return { pointer, head, opening, inner };
  }

  return deepest(tokens) > 50 ? null : value("", "");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function deepest(tokens: readonly string[]): number {
  let depth = 0;
  return tokens.reduce((most, token) => {
    depth += token === "{" || token === "[" ? 1 : token === "}" || token === "]" ? -1 : 0;
    return Math.max(most, depth);
  }, 0);
}

const closingOf = (opening: string): string => (opening === "{" ? "}" : "]");

const onOneLine = ({ head, opening, inner }: Tree): string =>
  inner === null ? head + opening : `${head}${opening}${inner.map(onOneLine).join(", ")}${closingOf(opening)}`;

function linesOf(tree: Tree, depth: number, marks: readonly BodyMark[]): readonly BodyLine[] {
  const { pointer, head, opening, inner } = tree;
  const margin = "  ".repeat(depth);
  const mark = marks.find((one) => !one.missing && one.pointer === pointer) ?? null;
  const below = marks.filter((one) => one.pointer.startsWith(`${pointer}/`));
  const short = margin + onOneLine(tree);
  if (inner === null || (below.length === 0 && short.length <= shortLine - 20)) return [{ text: short, mark }];
  const missing = below.filter((one) => one.missing && namesIn(one.pointer).length === namesIn(pointer).length + 1);
  const items = [
    ...inner.map((item) => linesOf(item, depth + 1, below)),
    ...missing.map((one): readonly BodyLine[] => [{ text: `${margin}  ${missingText(one, opening)}`, mark: one }]),
  ];
  return [
    { text: margin + head + opening, mark },
    ...items.flatMap((lines, index) => (index < inner.length - 1 ? withComma(lines) : lines)),
    { text: margin + closingOf(opening), mark: null },
  ];
}

/** What a list lacks may be anywhere in it. */
const missingText = ({ pointer }: BodyMark, opening: string): string =>
  opening === "{" ? `${JSON.stringify(namesIn(pointer).at(-1))}: (missing)` : "(missing)";

const withComma = (lines: readonly BodyLine[]): readonly BodyLine[] =>
  lines.map((line, index) => (index === lines.length - 1 ? { ...line, text: `${line.text},` } : line));

/** Lines on either side of a marked one that are kept. */
const around = 2;

/**
 * The marked lines with what stands around them, and as much from the beginning as there is room for; where a record of a
 * list is marked, what stands as deep is left out: other records beside it tell nothing.
 */
function folded(lines: readonly BodyLine[], limit: number): readonly BodyLine[] {
  const ofRecord = recordsAround(lines);
  const isNear = lines.map(
    (_, index) =>
      ofRecord.has(index) ||
      lines.slice(Math.max(0, index - around), index + around + 1).some(({ mark }) => mark !== null),
  );
  const items = [...ofRecord].filter((index) => lines[index]?.text.trim() === "{");
  const deep = Math.min(...items.map((index) => depthOf(lines[index])));
  let room = limit;
  const isKept = lines.map((line, index) => {
    if (isNear[index] === true) return true;
    if (depthOf(line) >= deep) return false;
    room -= line.text.length + 1;
    return room > 0;
  });
  return lines.flatMap((line, index): readonly BodyLine[] => {
    if (isKept[index] === true) return [line];
    if (isKept[index - 1] === false) return [];
    const end = isKept.indexOf(true, index);
    const count = (end < 0 ? lines.length : end) - index;
    return [{ text: `… (${count} ${count === 1 ? "line" : "lines"} more)`, mark: null }];
  });
}

const depthOf = (line: BodyLine | undefined): number => line?.text.search(/\S|$/) ?? 0;

/** Lines of a record that are shown whole where one of its members is marked. */
const longestRecord = 30;

/** The lines of the records that have a marked member: what else it holds is what it is judged by. */
function recordsAround(lines: readonly BodyLine[]): ReadonlySet<number> {
  return new Set(
    lines.flatMap((line, index) => {
      if (line.mark === null) return [];
      const depth = depthOf(line);
      const begin = lines.findLastIndex((other, at) => at < index && depthOf(other) < depth);
      const end = lines.findIndex((other, at) => at > index && depthOf(other) < depth);
      const isRecord = begin > 0 && end >= 0 && /\{$/.test(lines[begin]?.text ?? "") && end - begin < longestRecord;
      return isRecord ? Array.from({ length: end - begin + 1 }, (_, at) => begin + at) : [];
    }),
  );
}

/** The same as one text, with nothing marked. */
export const readableBody = (text: string, limit: number): string =>
  bodyLines(text, limit)
    .map((line) => line.text)
    .join("\n");
