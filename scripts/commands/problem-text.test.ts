import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Problem } from "../../compiler/problem.ts";
import { paintWith } from "../../conformance/reports/paint.ts";
import { problemCounts, problemsText } from "./problem-text.ts";

const root = mkdtempSync(join(tmpdir(), "bylaw-problems-"));
afterAll(() => rmSync(root, { recursive: true }));
const plain = paintWith(false);

const problem: Problem = { code: "odd", severity: "error", message: "It is odd.", fix: "Make it even.", place: null };
const at = (line: number, column: number, file = "a.tsp"): Problem => ({ ...problem, place: { file, line, column } });

it("tells a problem without a place, or in a file that is gone, without lines", () => {
  expect(problemsText([problem], root, plain)).toBe("error odd: It is odd.\n  fix: Make it even.\n");
  expect(problemsText([at(9, 1, "gone.tsp")], root, plain)).toContain("gone.tsp:9:1 - error odd: It is odd.\n  fix:");
});

it("puts the caret under its column, also in a line with tabs and in one that is cut", () => {
  writeFileSync(join(root, "a.tsp"), `one\n\ttwo\n${"x".repeat(300)}Y${"z".repeat(300)}\n`);
  const caretOver = (line: number, column: number): string => {
    const lines = problemsText([at(line, column)], root, plain).split("\n");
    const index = lines.findIndex((text) => text.startsWith(">"));
    return lines[index]?.[lines[index + 1]?.indexOf("^") ?? -1] ?? "";
  };
  expect(caretOver(1, 3)).toBe("e");
  expect(caretOver(2, 2)).toBe("t");
  expect(caretOver(3, 301)).toBe("Y");
});

it("colours only when it may", () => {
  expect(problemsText([problem], root, paintWith(true))).toContain("\u001b[31merror\u001b[39m");
});

it("counts errors, and warnings when there are any", () => {
  const warning: Problem = { ...problem, severity: "warning" };
  expect(problemCounts([problem])).toBe("1 error");
  expect(problemCounts([warning, warning])).toBe("0 errors, 2 warnings");
});
