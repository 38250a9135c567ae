import type { Contrarian } from "./edit.ts";
import { exportedBy } from "./exported-by.ts";

const isContrarian = (exported: unknown): exported is Contrarian =>
  typeof exported === "object" &&
  exported !== null &&
  ["id", "does", "answers", "changes"].every((name) => Object.hasOwn(exported, name));

/** Servers that obey the document and differ from the reference in what no option flips: all that their files export. */
export const contrarians: readonly Contrarian[] = (await exportedBy("contrarians")).filter(isContrarian);
