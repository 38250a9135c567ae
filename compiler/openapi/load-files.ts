import { dirname, resolve } from "node:path";
import type { Json } from "../contract.ts";
import { isList, isObject } from "../schema/schema-node.ts";
import { type LoadedDocument, loadDocument, maxBytes, UnreadableDocument } from "./load-document.ts";

/** A document's files by absolute path; what could not be read says why. */
export type LoadedFiles = ReadonlyMap<string, LoadedDocument | UnreadableDocument>;

/** Files that one document may be spread over. */
const maxFiles = 20_000;

/** The file and every file that references lead to, in turn. Throws when the first one cannot be read. */
export async function loadFiles(entry: string): Promise<LoadedFiles> {
  const { document, bytes } = await loadDocument(entry, maxBytes);
  const files = new Map<string, LoadedDocument | UnreadableDocument>([[entry, document]]);
  const pending = [...filesReferredTo(document.json, entry)];
  let room = maxBytes - bytes;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (files.has(path)) continue;
    if (files.size >= maxFiles)
      throw new UnreadableDocument(`The document is spread over more than ${maxFiles.toLocaleString("en")} files.`);
    const loaded = await loadDocument(path, room).catch((problem: unknown) => {
      if (problem instanceof UnreadableDocument) return problem;
      // Whether anything needs the file is seen where references are followed.
      return new UnreadableDocument(reasonOf(problem));
    });
    if (loaded instanceof UnreadableDocument) {
      files.set(path, loaded);
      continue;
    }
    room -= loaded.bytes;
    files.set(path, loaded.document);
    pending.push(...filesReferredTo(loaded.document.json, path));
  }
  return files;
}

function reasonOf(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  const code = "code" in problem ? problem.code : null;
  return code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : problem.message;
}

/** Absolute path of the file that a reference leads to; null for an address that is no file. */
export function fileOf(reference: string, from: string): string | null {
  const [file = ""] = reference.split("#", 1);
  if (file === "") return from;
  if (/^[a-z][a-z0-9+.-]+:/i.test(file) || file.startsWith("//")) return null;
  return resolve(dirname(from), decoded(file));
}

/** As the text stands when it is no valid encoding. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function filesReferredTo(json: Json, from: string): ReadonlySet<string> {
  const found = new Set<string>();
  const pending: Json[] = [json];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (isList(at)) {
      for (const item of at) pending.push(item);
    } else if (isObject(at)) {
      if (typeof at.$ref === "string") {
        const file = fileOf(at.$ref, from);
        if (file !== null && file !== from) found.add(file);
      }
      for (const member of Object.values(at)) pending.push(member);
    }
  }
  return found;
}
