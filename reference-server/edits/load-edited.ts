import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import type { Change, Edit } from "./edit.ts";
import { importersOf } from "./import-graph.ts";

const folder = new URL("../", import.meta.url);

/** An edit whose text is no longer there, or stands more than once. */
export class StaleEdit extends Error {
  constructor(id: string, { file, find }: Change, occurrences: number) {
    super(
      `Edit ${id} does not apply: its text stands ${occurrences} times in reference-server/${file}, not once: ${find}`,
    );
    this.name = "StaleEdit";
  }
}

/** The text of every file that the edits touch, by URL, with them applied in order. */
export function editedFiles(edits: readonly Edit[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { id, changes } of edits) {
    for (const change of changes) {
      const url = new URL(change.file, folder).href;
      const before = texts.get(url) ?? readFileSync(fileURLToPath(url), "utf8");
      const occurrences = before.split(change.find).length - 1;
      if (occurrences !== 1) throw new StaleEdit(id, change, occurrences);
      texts.set(
        url,
        before.replace(change.find, () => change.replace),
      );
    }
  }
  return texts;
}

/** What a server is made with. */
export interface ServerModules {
  readonly createServer: typeof import("../server.ts").createServer;
  readonly openStore: typeof import("../store/open-store.ts").openStore;
}

/** One set of edits that this process has loaded: texts by URL, and the files that must be loaded anew with them. */
interface Loaded {
  readonly texts: ReadonlyMap<string, string>;
  readonly anew: ReadonlySet<string>;
}

/** By the number in the query of their URLs. */
const loaded: Loaded[] = [];
let hooked = false;

/**
 * The server's modules with the source edits in them. Those that import no edited file, however indirectly, are the
 * plain ones, which all servers of the process share. Each call leaves modules behind that nothing frees.
 */
export async function loadEdited(edits: readonly Edit[]): Promise<ServerModules> {
  const texts = editedFiles(edits);
  if (texts.size > 0 && !hooked) hookLoading();
  const query =
    texts.size > 0 ? `?edited=${loaded.push({ texts, anew: importersOf(folder, [...texts.keys()]) }) - 1}` : "";
  const [{ createServer }, { openStore }] = await Promise.all([
    import(`../server.ts${query}`) as Promise<typeof import("../server.ts")>,
    import(`../store/open-store.ts${query}`) as Promise<typeof import("../store/open-store.ts")>,
  ]);
  return { createServer, openStore };
}

/** Passes the query on to what has to be loaded anew, and gives edited files their text. */
function hookLoading(): void {
  hooked = true;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const found = nextResolve(specifier, context);
      const query = context.parentURL?.match(/\?edited=(\d+)$/);
      const anew = query && loaded[Number(query[1])]?.anew.has(found.url);
      return anew ? { ...found, url: `${found.url}${query[0]}` } : found;
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
