import { globSync, readFileSync } from "node:fs";
import { type ResolveFnOutput, registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import type { Edit, SourceChange } from "./edit.ts";
import { findNodes, NoSuchNode } from "./find-nodes.ts";
import { importersOf } from "./import-graph.ts";

const folder = new URL("../", import.meta.url);

/** An edit of a place that is no longer there, or that is there more than once. */
export class StaleEdit extends Error {
  constructor(id: string, file: string, why: string) {
    super(
      `Edit ${id} (${placeOfEdit(id)}) does not apply to reference-server/${file}: ${why}\n` +
        "  Give it the code as it stands there now, or say the same over the wire or through a port.",
    );
    this.name = "StaleEdit";
  }
}

/** Where an edit is written: the file and line that name it, or the folder where its name is put together. */
function placeOfEdit(id: string): string {
  const [, rule = "", name = ""] = /^([A-Z]+-\d+)-(.+)$/.exec(id) ?? [];
  const named = new RegExp(rule === "" ? `"${id}"` : `"${id}"|"${rule}",\\s*"${name}"`);
  for (const file of globSync("edits/{mutants,contrarians}/*.ts", { cwd: fileURLToPath(folder) }).sort()) {
    const text = readFileSync(fileURLToPath(new URL(file, folder)), "utf8");
    const at = text.search(named);
    if (at >= 0) return `reference-server/${file.replaceAll("\\", "/")}:${text.slice(0, at).split("\n").length}`;
  }
  return "reference-server/edits/";
}

/** The text of every file whose source the edits change, by URL, with them applied in order. Throws `StaleEdit`. */
export function editedFiles(edits: readonly Edit[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { id, changes } of edits) {
    for (const change of changes) {
      if (!("file" in change)) continue;
      const url = new URL(change.file, folder).href;
      const before = texts.get(url) ?? readFileSync(fileURLToPath(url), "utf8");
      texts.set(url, changed(id, before, change));
    }
  }
  return texts;
}

/**
 * A test of whether edits apply one after another, in the order of the list. It remembers what it made of each file, so
 * that asking about a list again with one more behind it costs little. Each edit must apply to the server as it is.
 */
export function orderTester(): (edits: readonly Edit[]) => boolean {
  const made = new Map<string, string | null>();
  const make = (file: string, edits: readonly Edit[]): string | null => {
    const last = edits.at(-1);
    if (last === undefined) return readFileSync(fileURLToPath(new URL(file, folder)), "utf8");
    const key = [file, ...edits.map(({ id }) => id)].join(" ");
    const known = made.get(key);
    if (known !== undefined) return known;
    const before = make(file, edits.slice(0, -1));
    const text = before === null ? null : textOrNull(before, last, file);
    made.set(key, text);
    return text;
  };
  return (edits) => {
    const files = new Set(edits.flatMap(sourcesOf));
    return [...files].every((file) => {
      const touching = edits.filter((edit) => sourcesOf(edit).includes(file));
      return touching.length < 2 || make(file, touching) !== null;
    });
  };
}

const sourcesOf = ({ changes }: Edit): readonly string[] =>
  changes.flatMap((change) => ("file" in change ? [change.file] : []));

function textOrNull(before: string, { id, changes }: Edit, file: string): string | null {
  try {
    return changes.reduce(
      (text, change) => ("file" in change && change.file === file ? changed(id, text, change) : text),
      before,
    );
  } catch (problem) {
    if (problem instanceof StaleEdit) return null;
    throw problem;
  }
}

function changed(id: string, text: string, { file, symbol, find, replace }: SourceChange): string {
  try {
    const { start, end } = findNodes(text, find, symbol ?? null);
    return text.slice(0, start) + replace.trim() + text.slice(end);
  } catch (problem) {
    throw problem instanceof NoSuchNode ? new StaleEdit(id, file, problem.message) : problem;
  }
}

/** What a server is made with. */
export interface ServerModules {
  readonly createServer: typeof import("../server.ts").createServer;
  readonly machine: typeof import("../server.ts").machine;
  readonly createHttpSender: typeof import("../deliveries.ts").createHttpSender;
  readonly openStore: typeof import("../store/open-store.ts").openStore;
}

/** One set of edits that this process has loaded: texts by URL, and the files that must be loaded anew with them. */
interface Loaded {
  readonly texts: ReadonlyMap<string, string>;
  readonly anew: ReadonlySet<string>;
}

/** By the number in the query of their URLs. */
const loaded: Loaded[] = [];

/**
 * The server's modules with the source edits in them. Those that import no edited file, however indirectly, are the
 * plain ones, which all servers of the process share. Each call leaves modules behind that nothing frees.
 */
export async function loadEdited(edits: readonly Edit[]): Promise<ServerModules> {
  const texts = editedFiles(edits);
  const query = texts.size === 0 ? null : hooked(texts);
  const [{ createServer, machine }, { createHttpSender }, { openStore }] = await (query === null
    ? Promise.all([import("../server.ts"), import("../deliveries.ts"), import("../store/open-store.ts")])
    : Promise.all([
        import(`../server.ts${query}`) as Promise<typeof import("../server.ts")>,
        import(`../deliveries.ts${query}`) as Promise<typeof import("../deliveries.ts")>,
        import(`../store/open-store.ts${query}`) as Promise<typeof import("../store/open-store.ts")>,
      ]));
  return { createServer, machine, createHttpSender, openStore };
}

/** The query under which modules with these texts are loaded. */
function hooked(texts: ReadonlyMap<string, string>): string {
  if (loaded.length === 0) hookLoading();
  return `?edited=${loaded.push({ texts, anew: importersOf(folder, [...texts.keys()]) }) - 1}`;
}

/**
 * Passes the query on to what has to be loaded anew, and gives edited files their text. What an import means is looked up
 * once for all edits: to look it up in the file system takes longer than to load most modules.
 */
function hookLoading(): void {
  const meant = new Map<string, ResolveFnOutput>();
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const [file, number] = context.parentURL?.split("?edited=") ?? [];
      if (number === undefined) return nextResolve(specifier, context);
      const key = `${specifier} ${file}`;
      const found = meant.get(key) ?? nextResolve(specifier, context);
      meant.set(key, found);
      const anew = loaded[Number(number)]?.anew.has(found.url);
      return { ...found, shortCircuit: true, ...(anew ? { url: `${found.url}?edited=${number}` } : {}) };
    },
    load(url, context, nextLoad) {
      const [file = "", number] = url.split("?edited=");
      const source = number === undefined ? undefined : loaded[Number(number)]?.texts.get(file);
      return source === undefined
        ? nextLoad(url, context)
        : { format: "module-typescript", source, shortCircuit: true };
    },
  });
}
