import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** JSON as the project's formatter writes it, for tests that keep a published file equal to the value in use. */
export const formattedJson = (value: unknown): string => formatted("published.json", JSON.stringify(value));

/** Markdown, for the same. */
export const formattedMarkdown = (text: string): string => formatted("published.md", text);

const formatted = (name: string, input: string): string =>
  execFileSync(resolve(root, "node_modules/.bin/biome"), ["format", `--stdin-file-path=${name}`], {
    cwd: root,
    encoding: "utf8",
    input,
  });
