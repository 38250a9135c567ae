import { relative } from "node:path";
import type { Json } from "../contract.ts";
import { type JsonObject, objectAt, textAt, tokensOf } from "../diff/json-at.ts";
import { isList, isObject } from "../schema/schema-node.ts";
import type { Located } from "./bundle.ts";
import { type LoadedDocument, UnreadableDocument } from "./load-document.ts";
import { fileOf, type LoadedFiles } from "./load-files.ts";

/** A line of a file in which something stands. */
export interface SourceLine {
  readonly file: string;
  /** One-based. */
  readonly line: number;
  /** The line itself, without the space around it. */
  readonly text: string;
}

/** References followed on one way. */
const maxReferences = 20;

/** The files of a document, the one that it begins with, and where its components were found. */
interface Sources {
  readonly files: LoadedFiles;
  readonly entry: string;
  readonly components: ReadonlyMap<string, Located>;
}

/**
 * The line of what a pointer of a change leads to, and on to the first of some keywords that is there; through references,
 * and by the names of list items. Null where nothing stands there. Files are told relative to `root`.
 */
export function sourceLine(
  { files, entry, components }: Sources,
  root: string,
  pointer: string,
  keywords: readonly string[],
): SourceLine | null {
  const [list, kind, name = "", ...within] = tokensOf(pointer);
  const component = list === "components" && kind === "schemas" ? components.get(name) : undefined;
  const start = component ?? { file: entry, names: [] };
  const document = files.get(start.file);
  if (document === undefined || document instanceof UnreadableDocument) return null;
  let at: Stop = { file: start.file, document, json: component?.json ?? document.json, names: start.names };
  for (const token of component === undefined ? tokensOf(pointer) : within) {
    const next = step(files, at, token);
    if (next === null) return null;
    at = next;
  }
  const { json, names } = at;
  const keyword = keywords.find((name) => isObject(json) && Object.hasOwn(json, name));
  const position = at.document.locate(keyword === undefined ? names : [...names, keyword]);
  if (position === null) return null;
  const text = at.document.lineAt(position.line).trim();
  return { file: relative(root, at.file), line: position.line, text };
}

interface Stop {
  readonly file: string;
  readonly document: LoadedDocument;
  readonly json: Json;
  readonly names: readonly string[];
}

function step(files: LoadedFiles, from: Stop, token: string): Stop | null {
  let at: Stop | null = from;
  for (let followed = 0; at !== null && followed < maxReferences; followed += 1) {
    const name = nameIn(files, at, token);
    if (name !== null) {
      const json = isList(at.json) ? at.json[Number(name)] : objectAt(at.json)[name];
      return json === undefined ? null : { ...at, json, names: [...at.names, name] };
    }
    at = target(files, at);
  }
  return null;
}

/** What a token is called here: a member, an item's index, or the parameter of that place and name. */
function nameIn(files: LoadedFiles, at: Stop, token: string): string | null {
  if (isObject(at.json)) return Object.hasOwn(at.json, token) ? token : null;
  if (!isList(at.json)) return null;
  if (/^\d+$/.test(token)) return token;
  const index = at.json.findIndex((item, position) => {
    const part =
      isObject(item) && typeof item.$ref === "string"
        ? target(files, { ...at, json: item, names: [...at.names, String(position)] })?.json
        : item;
    const place = textAt(part, "in");
    const name = textAt(part, "name") ?? "";
    return token === `${place}:${place === "header" ? name.toLowerCase() : name}`;
  });
  return index < 0 ? null : String(index);
}

function target(files: LoadedFiles, { file, json }: Stop): Stop | null {
  const reference = textAt(json, "$ref");
  if (reference === null) return null;
  const path = fileOf(reference, file);
  const document = path === null ? undefined : files.get(path);
  if (path === null || document === undefined || document instanceof UnreadableDocument) return null;
  const [, pointer = ""] = reference.split("#", 2);
  const names = tokensOf(pointer);
  const found = names.reduce<Json | undefined>(
    (at, name) =>
      isList(at) ? at[Number(name)] : isObject(at) && Object.hasOwn(at, name) ? (at as JsonObject)[name] : undefined,
    document.json,
  );
  return found === undefined ? null : { file: path, document, json: found, names };
}
