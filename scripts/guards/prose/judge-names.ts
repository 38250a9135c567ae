import type { ParseResult } from "oxc-parser";
import type { Problem } from "./problem.ts";
import { collect, isNode, lineCounter, type Node, nameOf } from "./syntax.ts";
import { durationNouns, nameReplacements, units } from "./words.ts";

/** Problems of the name of a file. */
export function judgeFileName(path: string): readonly Problem[] {
  const name = (path.split("/").at(-1) ?? "").replace(/\..*$/, "");
  return nameProblems(name, 1);
}

/** Problems of exported names, and of constants that hold a time span. */
export function judgeNames(text: string, parsed: ParseResult): readonly Problem[] {
  const lineAt = lineCounter(text);
  const exported = parsed.module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName, localName, moduleRequest }) =>
      exportName.name === null || moduleRequest !== null || localName.start === null
        ? []
        : nameProblems(exportName.name, lineAt(localName.start)),
    ),
  );
  return [...exported, ...(durationHint.test(text) ? durationProblems(parsed, lineAt) : [])];
}

function nameProblems(name: string, line: number): readonly Problem[] {
  const parts = partsOf(name);
  return nameReplacements.flatMap(({ avoid, use, where }) =>
    avoid
      .filter((word) => (where === "any part" ? parts.includes(word) : parts.length === 1 && parts[0] === word))
      .map((word) => ({ kind: "name" as const, line, text: name, advice: `"${word}" in a name → ${use}` })),
  );
}

/** Words of a name: `toldStory`, `TOLD_STORY` and `told-story` have two. */
export const partsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z\d]+/)
    .map((part) => part.toLowerCase())
    .filter((part) => part !== "");

/** Finds sources that may have a problem without their tree. */
const durationHint = new RegExp(`(?:${durationNouns.join("|")})\\w*(?:\\s*:\\s*number)?\\s*=\\s*\\d`, "i");

function durationProblems({ program }: ParseResult, lineAt: (offset: number) => number): readonly Problem[] {
  if (!isNode(program)) return [];
  return collect(program, (node) => {
    const name = node.type === "VariableDeclarator" && isNumber(node.init) ? nameOf(node.id) : null;
    if (name === null || !isDuration(name)) return null;
    const advice = `a time span without unit → ${name}Ms, ${name}Seconds; a number of tries → maxAttempts`;
    return { kind: "unit" as const, line: lineAt(node.start), text: name, advice };
  });
}

/** True if a name ends with a noun of time. A count such as `callsPerPeriod` is no time. */
function isDuration(name: string): boolean {
  const parts = partsOf(name);
  return (
    durationNouns.includes(parts.at(-1) ?? "") &&
    !["in", "per"].includes(parts.at(-2) ?? "") &&
    !units.some((unit) => name.endsWith(unit))
  );
}

/** True if a value is a number, or calculated from numbers. */
function isNumber(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (node.type === "Literal") return typeof node.value === "number";
  return node.type === "BinaryExpression" && [node.left, node.right].every((side: unknown) => isNumberOrName(side));
}

const isNumberOrName = (node: unknown): boolean => isNumber(node) || (isNode(node) && isName(node));

const isName = ({ type }: Node): boolean => type === "Identifier" || type === "MemberExpression";
