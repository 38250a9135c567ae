import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { completenessTable, unflippedQuestions, unraisedCodes, withFigures } from "./completeness.ts";

it("every error code of the document is raised by a check", () => {
  expect(unraisedCodes(), "declare its row at an operation and decide a rule on it").toEqual([]);
});

it("every question that a client sees answered is answered otherwise by a lawful server", () => {
  const told = "write a contrarian that answers it, an option, or make the question internal with a reason";
  expect(unflippedQuestions(), told).toEqual([]);
});

it("the README has the figures", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const told = `run npm run edits, which writes them, or put this table into the README:\n${completenessTable()}\n`;
  expect(readme, told).toBe(withFigures(readme));
});

it("figures have no place in a page without their table", () => {
  expect(() => withFigures("# A page\n\n| other |\n| --- |\n| 1 |\n")).toThrow(
    'no table that begins with "of the contract"',
  );
});
