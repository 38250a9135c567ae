import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { completenessTable, unflippedQuestions, unraisedCodes } from "./completeness.ts";

it("every error code of the document is raised by a check", () => {
  expect(unraisedCodes(), "declare its row at an operation and decide a rule on it").toEqual([]);
});

it("every question that a client sees answered is answered otherwise by a lawful server", () => {
  const told = "write a contrarian that answers it, an option, or make the question internal with a reason";
  expect(unflippedQuestions(), told).toEqual([]);
});

it("the README has the figures", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const table = completenessTable();
  const [heading = ""] = unpadded(table).split("\n");
  const shown = unpadded(readme)
    .split("\n\n")
    .find((part) => part.startsWith(heading));
  expect(shown, `put this table into the README, then npm run format:\n${table}\n`).toBe(unpadded(table).trim());
});

/** A table as the formatter would have read it, whatever it makes of the widths of columns. */
const unpadded = (markdown: string): string => markdown.replace(/ {2,}/g, " ").replace(/-{3,}/g, "---");
