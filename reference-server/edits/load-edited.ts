import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import type { Change, Edit } from "./edit.ts";

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

/** Applies edits to server files that are loaded from now on in this process; none may have been loaded before. */
export function loadEdited(edits: readonly Edit[]): void {
  const texts = editedFiles(edits);
  registerHooks({
    load(url, context, nextLoad) {
      const source = texts.get(url);
      return source === undefined
        ? nextLoad(url, context)
        : { format: "module-typescript", source, shortCircuit: true };
    },
  });
}
