import { parseSync } from "oxc-parser";

/** A stretch of source, as offsets: from the first node of a run of siblings to the last one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Source in which there is no such place as was asked for, or more than one; the message says which. */
export class NoSuchNode extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NoSuchNode";
  }
}

interface Node extends Span {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** What may stand around a piece of code, so that it can be parsed, and where it is then found. */
const surroundings: readonly { readonly open: string; readonly close: string; readonly list: readonly string[] }[] = [
  { open: "(", close: "\n)", list: ["expression"] },
  { open: "async function* f() {", close: "\n}", list: ["body", "body"] },
  { open: "({", close: "\n})", list: ["expression", "properties"] },
  { open: "f(", close: "\n)", list: ["expression", "arguments"] },
  { open: "class C extends D {", close: "\n}", list: ["body", "body"] },
  { open: "function f(", close: "\n) {}", list: ["params"] },
  { open: "interface T {", close: "\n}", list: ["body", "body"] },
  { open: "", close: "", list: [] },
];

/**
 * Where `code` stands in `source`: one node of its syntax, or several that follow each other, such as two statements.
 * Formatting and comments do not matter. Code that ends with a comma includes the comma behind it. It must be there
 * exactly once; in `symbol` where that is given, a declaration or member by its dotted path, such as `Courier.start`.
 * Throws `NoSuchNode`.
 */
export function findNodes(source: string, code: string, symbol: string | null): Span {
  const program = parsed(source) ?? fail("the file cannot be parsed");
  const within = symbol === null ? program : declared(program, symbol.split("."));
  if (within === null) return fail(`there is no ${symbol}`);
  const forms = surroundings.flatMap(({ open, close, list }) => formOf(open + code + close, list));
  if (forms.length === 0) return fail(`this cannot be parsed: ${code}`);
  const runs = [...siblingsIn(within)];
  const comma = /,\s*$/.test(code);
  for (const form of forms) {
    const spans = runs
      .flatMap((run) => occurrences(run, form))
      .flatMap((span) => (comma ? withComma(source, span) : span));
    const found = new Map(spans.map((span) => [`${span.start} ${span.end}`, span]));
    const [span] = found.values();
    if (found.size > 1) {
      const lines = [...found.values()].map(({ start }) => lineAt(source, start)).join(", ");
      return fail(`it stands ${found.size} times in ${symbol ?? "the file"} (lines ${lines}), not once: ${code}`);
    }
    if (span !== undefined) return span;
  }
  return fail(`it is not in ${symbol ?? "the file"}: ${code}\n${nearest(source, runs, code)}`);
}

const fail = (message: string): never => {
  throw new NoSuchNode(message);
};

/** Null for what is no TypeScript. */
function parsed(source: string): Node | null {
  const { program, errors } = parseSync("file.ts", source, { preserveParens: false });
  return errors.length > 0 ? null : asNode(program);
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value;

const asNode = (value: unknown): Node | null => (isNode(value) ? value : null);

/** Fingerprints of the nodes that the code consists of, when it is read like this; no form when it cannot be. */
function formOf(text: string, list: readonly string[]): readonly (readonly Print[])[] {
  const program = parsed(text);
  if (program === null || !Array.isArray(program.body)) return [];
  if (list.length === 0) return program.body.length === 0 ? [] : [program.body.map(fingerprint)];
  if (program.body.length !== 1) return [];
  let at: unknown = program.body[0];
  for (const member of list) at = isNode(at) || isMembers(at) ? at[member] : undefined;
  const nodes = Array.isArray(at) ? at : [at];
  return nodes.length === 0 || !nodes.every(isNode) ? [] : [nodes.map(fingerprint)];
}

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const placement = new Set(["start", "end", "range", "loc", "raw"]);

/** What nodes have in common that differ in formatting and comments only. */
interface Print {
  readonly type: string;
  readonly text: string;
}

const fingerprint = (node: Node): Print => ({
  type: node.type,
  text: JSON.stringify(node, (member, value) =>
    placement.has(member) ? undefined : typeof value === "bigint" ? String(value) : value,
  ),
});

/** Every list of sibling nodes under a node; a member that is a node alone is a list of one. */
function* siblingsIn(node: Node): Generator<readonly Node[]> {
  for (const value of Object.values(node)) {
    const nodes = (Array.isArray(value) ? value : [value]).filter(isNode);
    if (nodes.length > 0) yield nodes;
    for (const each of nodes) yield* siblingsIn(each);
  }
}

function occurrences(run: readonly Node[], form: readonly Print[]): readonly Span[] {
  return run.flatMap((first, at) => {
    const last = run[at + form.length - 1];
    return last !== undefined && form.every((print, index) => isLike(run[at + index], print))
      ? [{ start: first.start, end: last.end }]
      : [];
  });
}

/** Most nodes are of another type, which is seen without putting all of them in words. */
const isLike = (node: Node | undefined, { type, text }: Print): boolean =>
  node?.type === type && fingerprint(node).text === text;

function withComma(source: string, { start, end }: Span): readonly Span[] {
  const [before] = /^\s*,/.exec(source.slice(end)) ?? [];
  return before === undefined ? [] : [{ start, end: end + before.length }];
}

/** The declaration or member with this path; null when there is none. */
function declared(node: Node, [name, ...rest]: readonly string[]): Node | null {
  if (name === undefined) return node;
  for (const run of siblingsIn(node)) {
    for (const each of run) {
      if (nameOf(each) !== name) continue;
      const found = declared(each, rest);
      if (found !== null) return found;
    }
  }
  return null;
}

function nameOf({ type, id, key }: Node): string | null {
  const declares = type !== "Identifier" && (isNode(id) ? id : isNode(key) ? key : null);
  return declares && typeof declares.name === "string" ? declares.name : null;
}

/** The statements that have most words in common with the code, each with its line, for whoever has to find it again. */
function nearest(source: string, runs: readonly (readonly Node[])[], code: string): string {
  const words = new Set(code.match(/\w+/g));
  const places = new Map(runs.flat().map(({ start, end }) => [source.slice(start, end), start]));
  const scored = [...places]
    .filter(([text]) => text.length < 2 * code.length + 40)
    .map(([text, start]) => {
      const own = new Set(text.match(/\w+/g));
      return { text, start, score: [...words].filter((word) => own.has(word)).length / (words.size + own.size) };
    })
    .sort((one, other) => other.score - one.score);
  return scored
    .slice(0, 3)
    .map(({ text, start }) => `  near it, line ${lineAt(source, start)}: ${text.replaceAll(/\s+/g, " ")}`)
    .join("\n");
}

const lineAt = (source: string, offset: number): number => source.slice(0, offset).split("\n").length;
