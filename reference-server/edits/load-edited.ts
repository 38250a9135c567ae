import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import type { Edit } from "./edit.ts";

const folder = new URL("../", import.meta.url);

/** An edit whose text is no longer there, or stands more than once. */
export class StaleEdit extends Error {
  constructor({ id, file, find }: Edit, occurrences: number) {
    super(
      `Edit ${id} does not apply: its text stands ${occurrences} times in reference-server/${file}, not once: ${find}`,
    );
    this.name = "StaleEdit";
  }
}

/** The file's text with the edits applied in order. */
export function edited(text: string, edits: readonly Edit[]): string {
  return edits.reduce((before, edit) => {
    const occurrences = before.split(edit.find).length - 1;
    if (occurrences !== 1) throw new StaleEdit(edit, occurrences);
    return before.replace(edit.find, () => edit.replace);
  }, text);
}

/** Applies edits to server files that are loaded from now on in this process; none may have been loaded before. */
export function loadEdited(edits: readonly Edit[]): void {
  const byUrl = new Map<string, Edit[]>();
  for (const edit of edits) {
    const url = new URL(edit.file, folder).href;
    byUrl.set(url, [...(byUrl.get(url) ?? []), edit]);
    // At once, so that a stale edit is told before anything else is.
    edited(readFileSync(fileURLToPath(url), "utf8"), byUrl.get(url) ?? []);
  }
  registerHooks({
    load(url, context, nextLoad) {
      const mine = byUrl.get(url);
      if (!mine) return nextLoad(url, context);
      const source = edited(readFileSync(fileURLToPath(url), "utf8"), mine);
      return { format: "module-typescript", source, shortCircuit: true };
    },
  });
}
