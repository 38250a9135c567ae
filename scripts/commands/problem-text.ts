import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Problem } from "../../compiler/problem.ts";
import { counted } from "../../conformance/reports/counted.ts";
import type { Paint } from "../../conformance/reports/paint.ts";
import { printable, printableLine } from "../../conformance/reports/printable.ts";
import { shownPath } from "./project.ts";

/** Lines shown before and after the one that is blamed. */
const context = 2;

/** Columns of a source line that are shown. */
const shownColumns = 120;

/** Problems in the style of TypeSpec, each with the lines around its place and what to do. */
export function problemsText(problems: readonly Problem[], root: string, paint: Paint): string {
  return problems.map((problem) => `${problemText(problem, root, paint)}\n`).join("\n");
}

/** "2 errors, 1 warning". */
export function problemCounts(problems: readonly Problem[]): string {
  const errors = problems.filter((problem) => problem.severity === "error").length;
  const warnings = problems.length - errors;
  return [counted(errors, "error"), ...(warnings > 0 ? [counted(warnings, "warning")] : [])].join(", ");
}

function problemText({ code, severity, message, fix, place }: Problem, root: string, paint: Paint): string {
  const path = place === null ? "" : shownPath(resolve(root, place.file));
  const where = place === null ? "" : `${paint.cyan(path)}:${paint.yellow(`${place.line}:${place.column}`)} - `;
  const kind = severity === "error" ? paint.red("error") : paint.yellow("warning");
  const head = `${where}${kind} ${paint.dim(code)}: ${printable(message)}`;
  const frame = place === null ? [] : codeFrame(resolve(root, place.file), place.line, place.column, paint);
  return [head, ...frame, ...(fix === null ? [] : [`  ${paint.green("fix:")} ${printable(fix)}`])].join("\n");
}

function codeFrame(path: string, line: number, column: number, paint: Paint): readonly string[] {
  const lines = linesOf(path);
  const first = Math.max(1, line - context);
  const last = Math.min(lines.length, line + context);
  const digits = String(last).length;
  // A long line is cut so that the blamed column stays in view.
  const from = column <= shownColumns - 20 ? 0 : column - 40;
  const frame: string[] = [];
  for (let number = first; number <= last; number += 1) {
    const gutter = `${number === line ? ">" : " "} ${String(number).padStart(digits)} |`;
    frame.push(`${paint.dim(gutter)} ${cut(lines[number - 1] ?? "", from)}`.trimEnd());
    if (number === line) {
      const margin = `${" ".repeat(digits + 2)} |`;
      const shift = column - 1 - from + (from > 0 ? 1 : 0);
      frame.push(`${paint.dim(margin)} ${" ".repeat(shift)}${paint.red("^")}`);
    }
  }
  return frame;
}

function cut(text: string, from: number): string {
  // One column for each character, so that the caret stays under its place.
  const line = printableLine(text.replaceAll("\t", " "));
  const part = line.slice(from, from + shownColumns);
  return `${from > 0 ? "…" : ""}${part}${line.length > from + shownColumns ? "…" : ""}`;
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split(/\r?\n/);
  } catch {
    // The frame is a comfort; the problem is told without it too.
    return [];
  }
}
