import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A file that lists others, so that whoever adds one of those need not. */
export interface KeptList {
  /** Path below the project. */
  readonly file: string;
  /** All that it holds. */
  readonly text: string;
}

/** Stands at the top of each. */
export const listBanner = '// Written by "npx bylaw compile" from what there is to list. Do not edit.\n';

/** Those that differ from what they should hold. A project that has no such file keeps no such list. */
export const staleLists = (root: string, lists: readonly KeptList[]): readonly KeptList[] =>
  lists.filter(({ file, text }) => {
    const path = join(root, file);
    return existsSync(path) && readFileSync(path, "utf8") !== text;
  });

/** Writes those that differ, and gives them. */
export function updateLists(root: string, lists: readonly KeptList[]): readonly KeptList[] {
  const stale = staleLists(root, lists);
  for (const { file, text } of stale) writeFileSync(join(root, file), text);
  return stale;
}
