import { readFile, stat } from "node:fs/promises";
import { type Document, LineCounter, parseDocument, type YAMLError } from "yaml";
import type { Json } from "../contract.ts";
import { pointerOf } from "../diff/json-at.ts";
import { isList, isObject } from "../schema/schema-node.ts";
import { repeatedKey } from "./repeated-key.ts";
import { type AliasFault, followAliases, nodeAt } from "./yaml-aliases.ts";
import { faultsOf, mostIndented, withIndentedPart } from "./yaml-indentation.ts";
import { namesAround } from "./yaml-names.ts";

/** Of a character in a text; both one-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export const begin: Position = { line: 1, column: 1 };

/** Ends a message with the pointer to the part that it is about. */
export const atPointer = (names: readonly string[]): string => (names.length > 0 ? ` (at ${pointerOf(...names)})` : "");

/** A parsed file, and where its parts stand in the text. */
export interface LoadedDocument {
  readonly json: Json;
  /** One-based; null where there is no such part, or where the text is a long JSON, whose parts are not located. */
  readonly locate: (names: readonly string[]) => Position | null;
  /** A line of the text; one-based. */
  readonly lineAt: (line: number) => string;
}

/** Why a file can't be used; the message says what and what to do. */
export class UnreadableDocument extends Error {
  override readonly name = "UnreadableDocument";
  readonly line: number;
  readonly column: number;

  constructor(message: string, { line, column } = begin) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** Bytes of all files of a document together. */
export const maxBytes = 50 * 1024 * 1024;

/** Levels of nesting; deeper documents are attacks or accidents. */
const maxDepth = 500;

/**
 * Parts of a YAML document, with each alias counted as all that it stands for: aliases of aliases can unfold to more than
 * a machine holds. A text of 3 MB that has none has 150,000.
 */
const maxParts = 1_000_000;

/** Characters of a JSON text whose parts are located. */
const mostLocated = 2 * 1024 * 1024;

/** Reads a JSON or YAML file of at most `room` bytes; tells how many it has. */
export async function loadDocument(
  path: string,
  room: number,
): Promise<{ readonly document: LoadedDocument; readonly bytes: number }> {
  const { size } = await stat(path);
  if (size > room) throw new UnreadableDocument("The document is larger than 50 MB. Split off what is not compared.");
  const text = (await readFile(path, "utf8")).replace(/^\ufeff/, "");
  const document = /^\s*[{[]/.test(text) ? (fromJson(text) ?? fromYaml(text)) : fromYaml(text);
  if (isTooDeep(document.json)) {
    throw new UnreadableDocument(`The document nests more than ${maxDepth} levels. Flatten it.`);
  }
  return { document, bytes: size };
}

/** Null when the text is no JSON: it may still be YAML that begins with a brace. */
function fromJson(text: string): LoadedDocument | null {
  const json = parsed(text);
  if (json === undefined) return null;
  const repeated = repeatedKey(text);
  if (repeated !== null) {
    const lines = text.slice(0, repeated.offset).split("\n");
    throw standsTwice(repeated.names, { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 });
  }
  // The parser that knows positions takes half a second and 100 MB for each megabyte: it is asked when a place is, and
  // not of texts that are long, or all in one line.
  let positions: LoadedDocument | null = null;
  const locate = (names: readonly string[]) => {
    if (text.length > mostLocated || !text.trim().includes("\n")) return null;
    positions ??= fromYaml(text);
    return positions.locate(names);
  };
  return { json, locate, lineAt: linesOf(text) };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const standsTwice = (names: readonly string[], position: Position): UnreadableDocument =>
  new UnreadableDocument(
    `"${names.at(-1)}" stands twice in one object: readers take the one or the other. Keep one of them.${atPointer(names)}`,
    position,
  );

/** A line of a text; one-based. */
function linesOf(text: string): (line: number) => string {
  let lines: readonly string[] | null = null;
  return (line) => {
    lines ??= text.split("\n");
    return lines[line - 1] ?? "";
  };
}

function fromYaml(text: string): LoadedDocument {
  try {
    const { document, lines, text: read } = parsedYaml(text);
    const positionOf = (offset: number): Position => {
      const { line, col } = lines.linePos(offset);
      return { line, column: col };
    };
    const [error] = faultsOf(document, read);
    if (error !== undefined) throw refusal(document, error, positionOf(error.pos[0]));
    const anchored = followAliases(document, maxParts);
    if ("kind" in anchored) throw unfollowed(anchored, positionOf(anchored.offset));
    // What aliases unfold to was counted; the library bounds how often one is used, be it as small as a number.
    const json: Json = document.toJS({ maxAliasCount: -1 });
    const locate = (names: readonly string[]) => {
      const start = nodeAt(document, anchored, names)?.range?.[0];
      return start === undefined ? null : positionOf(start);
    };
    return { json, locate, lineAt: linesOf(text) };
  } catch (problem) {
    if (problem instanceof UnreadableDocument) throw problem;
    const reason =
      problem instanceof RangeError ? "it nests too deep" : problem instanceof Error ? problem.message : "";
    throw new UnreadableDocument(`The YAML cannot be read: ${reason}.`);
  }
}

interface ParsedYaml {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  /** As it was parsed. */
  readonly text: string;
}

/** As the text stands, or else with its quoted texts indented; lines stay where they are. */
function parsedYaml(text: string): ParsedYaml {
  const first = parseYaml(text);
  let found = first;
  for (let count = 0; count < mostIndented; count += 1) {
    const [error] = faultsOf(found.document, found.text);
    if (error === undefined) return found;
    const next = withIndentedPart(found.text, found.document, error);
    if (next === null) return first;
    found = parseYaml(next);
  }
  return first;
}

function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  // Keys stay texts: a status such as 200 is a name. Readers in use merge what `<<` names, though YAML 1.2 left it out.
  const document = parseDocument(text, {
    ...{ lineCounter: lines, stringKeys: true, merge: true, prettyErrors: false, logLevel: "error" },
  });
  return { document, lines, text };
}

function unfollowed({ kind, name, names }: AliasFault, position: Position): UnreadableDocument {
  const messages: Record<AliasFault["kind"], string> = {
    unset: `The alias *${name} has no anchor before it. Set &${name} first.`,
    circular: `The alias *${name} stands within what it names. Refer to a component by $ref instead.`,
    unfolds: `With the alias *${name} the document unfolds to more than ${maxParts.toLocaleString("en")} parts. Refer to components by $ref instead.`,
  };
  return new UnreadableDocument(`${messages[kind]}${atPointer(names)}`, position);
}

function refusal(document: Document, error: YAMLError, position: Position): UnreadableDocument {
  const names = namesAround(document, error.pos[0]);
  switch (error.code) {
    case "DUPLICATE_KEY":
      return standsTwice(names, position);
    case "MULTIPLE_DOCS":
      return new UnreadableDocument("A second YAML document begins here. Give a file for each.", position);
    default:
      return new UnreadableDocument(`This is neither JSON nor YAML: ${error.message}.${atPointer(names)}`, position);
  }
}

function isTooDeep(json: Json): boolean {
  let level: Json[] = [json];
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    level = level.flatMap((at) => (isList(at) ? [...at] : isObject(at) ? Object.values(at) : []));
    if (level.length === 0) return false;
  }
  return true;
}
