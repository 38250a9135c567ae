import { parseSync } from "oxc-parser";
import { judgeFileName, judgeNames } from "./judge-names.ts";
import { judgeProse } from "./judge-prose.ts";
import { markdownProse } from "./markdown-prose.ts";
import type { Problem } from "./problem.ts";
import { sourceProse } from "./source-prose.ts";

/** The names in these files are facts of the API document. */
const hasContractNames = (path: string): boolean => path.startsWith("spec/");

/** All problems of a Markdown, TypeScript or JavaScript file; its path decides what is looked at. */
export function judgeFile(path: string, text: string): readonly Problem[] {
  const fileName = hasContractNames(path) ? [] : judgeFileName(path);
  if (path.endsWith(".md")) return [...fileName, ...markdownProse(text).flatMap(judgeProse)];
  const parsed = parseSync(path, text);
  const names = hasContractNames(path) ? [] : judgeNames(text, parsed);
  return [...fileName, ...names, ...sourceProse(path, text, parsed).flatMap(judgeProse)].sort(
    (one, other) => one.line - other.line,
  );
}
