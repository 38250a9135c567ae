/** A set of characters as inclusive ranges of code points, in rising order and apart from each other. */
export type CodePoints = readonly (readonly [from: number, to: number])[];

const last = 0x10ffff;

export const everything: CodePoints = [[0, last]];

export function union(sets: readonly CodePoints[]): CodePoints {
  const joined: [number, number][] = [];
  for (const [from, to] of sets.flat().sort((a, b) => a[0] - b[0])) {
    const before = joined.at(-1);
    if (before !== undefined && from <= before[1] + 1) before[1] = Math.max(before[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

export function complement(set: CodePoints): CodePoints {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) gaps.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= last) gaps.push([next, last]);
  return gaps;
}

export const overlap = (a: CodePoints, b: CodePoints): boolean =>
  a.some(([from, to]) => b.some(([otherFrom, otherTo]) => from <= otherTo && otherFrom <= to));

const range = (from: string, to = from): readonly [number, number] => [
  from.codePointAt(0) ?? 0,
  to.codePointAt(0) ?? 0,
];

const digits: CodePoints = [range("0", "9")];
/** What `\w` matches. */
export const word: CodePoints = union([digits, [range("A", "Z"), range("_"), range("a", "z")]]);
/** ECMA-262: white space and line terminators. */
const space: CodePoints = union([
  [
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
]);

/** Everything but the line terminators: what `.` matches. */
export const anyButLineEnds: CodePoints = complement([
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]);

const properties = new Map<string, CodePoints>();

/** What an escape for a property of Unicode (`\p{L}`, `\P{Script=Greek}`) matches, as the engine knows it. */
export function propertySet(written: string): CodePoints {
  const known = properties.get(written);
  if (known !== undefined) return known;
  const pattern = new RegExp(`^${written}$`, "u");
  const found: [number, number][] = [];
  for (let code = 0; code <= last; code += 1) {
    if (!pattern.test(String.fromCodePoint(code))) continue;
    const before = found.at(-1);
    if (before !== undefined && before[1] === code - 1) before[1] = code;
    else found.push([code, code]);
  }
  properties.set(written, found);
  return found;
}

/** The class escapes of regular expressions, those for properties of Unicode aside. */
export const classEscapes: Readonly<Record<string, CodePoints>> = {
  d: digits,
  D: complement(digits),
  w: word,
  W: complement(word),
  s: space,
  S: complement(space),
};
