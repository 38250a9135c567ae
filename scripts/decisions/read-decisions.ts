import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { CannotRun } from "../commands/cannot-run.ts";
import { onFiles } from "../commands/on-files.ts";
import { shownPath } from "../commands/project.ts";

/** Bytes of such a file that are read at most. */
export const maxBytes = 1024 * 1024;

/** The text of a file in which a project keeps decisions; `fix` tells what to do where it is too large. */
export const readDecisions = (path: string, fix: string): Promise<string> =>
  onFiles(async () => {
    if (statSync(path).size > maxBytes) throw new CannotRun(`${shownPath(path)} is larger than 1 MB.\n  ${fix}`);
    return readFile(path, "utf8");
  });
