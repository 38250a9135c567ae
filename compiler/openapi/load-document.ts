import { readFile, stat } from "node:fs/promises";
import { LineCounter, parseDocument } from "yaml";
import type { Json } from "../contract.ts";
import { isList, isObject } from "../schema/schema-node.ts";

/** A parsed file, and where its parts stand in the text. */
export interface LoadedDocument {
  readonly json: Json;
  /** One-based; null where there is no such part, or where the text is a long JSON, whose parts are not located. */
  readonly locate: (names: readonly string[]) => { readonly line: number; readonly column: number } | null;
  /** A line of the text; one-based. */
  readonly lineAt: (line: number) => string;
}

/** Why a file can't be used; the message says what and what to do. */
export class UnreadableDocument extends Error {
  override readonly name = "UnreadableDocument";
  readonly line: number;
  readonly column: number;

  constructor(message: string, line = 1, column = 1) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** Bytes of all files of a document together. */
export const maxBytes = 50 * 1024 * 1024;

/** Levels of nesting; deeper documents are attacks or accidents. */
const maxDepth = 500;

/** Aliases of YAML that are followed at most: they can unfold to more than a machine holds. */
const maxAliases = 1000;

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
  try {
    const json: Json = JSON.parse(text);
    // The parser that knows positions takes half a second and 100 MB for each megabyte: it is asked when a place is, and
    // not of texts that are long, or all in one line.
    let positions: LoadedDocument | null = null;
    const locate = (names: readonly string[]) => {
      if (text.length > mostLocated || !text.trim().includes("\n")) return null;
      positions ??= fromYaml(text);
      return positions.locate(names);
    };
    return { json, locate, lineAt: linesOf(text) };
  } catch {
    return null;
  }
}

/** A line of a text; one-based. */
function linesOf(text: string): (line: number) => string {
  let lines: readonly string[] | null = null;
  return (line) => {
    lines ??= text.split("\n");
    return lines[line - 1] ?? "";
  };
}

function fromYaml(text: string): LoadedDocument {
  const lines = new LineCounter();
  try {
    // Keys stay texts: a status such as 200 is a name.
    const document = parseDocument(text, { lineCounter: lines, stringKeys: true, logLevel: "silent" });
    const [error] = document.errors;
    if (error !== undefined) {
      const { line, col } = lines.linePos(error.pos[0]);
      throw new UnreadableDocument(`This is neither JSON nor YAML: ${error.message.split("\n", 1)[0]}`, line, col);
    }
    const json: Json = document.toJS({ maxAliasCount: maxAliases });
    const locate = (names: readonly string[]) => {
      const node: unknown = document.getIn(names, true);
      const range = typeof node === "object" && node !== null && "range" in node ? node.range : null;
      const start: unknown = Array.isArray(range) ? range[0] : null;
      if (typeof start !== "number") return null;
      const { line, col } = lines.linePos(start);
      return { line, column: col };
    };
    return { json, locate, lineAt: linesOf(text) };
  } catch (problem) {
    if (problem instanceof UnreadableDocument) throw problem;
    const reason =
      problem instanceof RangeError ? "it nests too deep" : problem instanceof Error ? problem.message : "";
    throw new UnreadableDocument(`The YAML cannot be read: ${reason}.`);
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
