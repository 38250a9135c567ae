import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** What is put into a file of the project, or a file that is made. */
export interface Addition {
  /** Path relative to the project. */
  readonly file: string;
  /** All that the file holds then. */
  readonly text: string;
  /** One-based line where the new part begins. */
  readonly line: number;
  /** What the new part is, for the user. */
  readonly what: string;
}

/** The text with a line or more before this offset, and the number of the first of them. */
export function insertedAt(source: string, offset: number, code: string): Pick<Addition, "text" | "line"> {
  const before = source.slice(0, offset).trimEnd();
  const text = `${before}\n${code}\n${source.slice(offset).trimStart()}`;
  return { text, line: before.split("\n").length + code.split("\n").findIndex((line) => line.trim() !== "") + 1 };
}

/** Writes all of them or, where one cannot be written, none. */
export async function writeAdditions(root: string, additions: readonly Addition[]): Promise<void> {
  const beside = additions.map(({ file, text }) => ({
    path: join(root, file),
    fresh: join(root, `${file}.${process.pid}`),
    text,
  }));
  try {
    for (const { fresh, text } of beside) {
      await mkdir(dirname(fresh), { recursive: true });
      await writeFile(fresh, text);
    }
  } catch (problem) {
    for (const { fresh } of beside) await rm(fresh, { force: true });
    throw problem;
  }
  for (const { path, fresh } of beside) await rename(fresh, path);
}
