import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { CannotRun } from "./cannot-run.ts";
import { appendToJournal, type JournalEntry, readJournal, removeFromJournal, shortenJournal } from "./journal.ts";

const folder = mkdtempSync(join(tmpdir(), "bylaw-journal-"));
const file = join(folder, "deep", "journal.jsonl");

beforeEach(() => rmSync(join(folder, "deep"), { recursive: true, force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

const entry = (id: string): JournalEntry => ({
  ...{ time: "2026-01-01T00:00:00.000Z", baseUrl: "http://target", kind: "sandbox-organization" },
  ...{ id, organizationId: id },
});

test("what was added is listed until it is taken out", () => {
  expect(readJournal(file)).toEqual([]);
  for (const id of ["1", "2"]) appendToJournal(file, entry(id));
  removeFromJournal(file, [entry("1")]);
  expect(readJournal(file)).toEqual([entry("2")]);
});

test("a thing that is made again is listed again", () => {
  appendToJournal(file, entry("1"));
  removeFromJournal(file, [entry("1")]);
  appendToJournal(file, entry("1"));
  expect(readJournal(file)).toEqual([entry("1")]);
});

test("shortening forgets what was taken out, keeps the rest, and leaves no file where nothing is left", () => {
  for (const id of ["1", "2"]) appendToJournal(file, entry(id));
  removeFromJournal(file, [entry("1")]);
  shortenJournal(file);
  expect(readFileSync(file, "utf8")).toBe(`${JSON.stringify(entry("2"))}\n`);
  removeFromJournal(file, [entry("2")]);
  shortenJournal(file);
  expect(readdirSync(join(folder, "deep"))).toEqual([]);
  shortenJournal(file);
});

test("a line that is none is told with its place, and shortening changes nothing of such a file", () => {
  appendToJournal(file, entry("1"));
  writeFileSync(file, "half a li", { flag: "a" });
  expect(() => readJournal(file)).toThrow(CannotRun);
  expect(() => readJournal(file)).toThrow(`${file}:2: This line is no entry of the journal.`);
  expect(() => shortenJournal(file)).toThrow(CannotRun);
  expect(readFileSync(file, "utf8")).toContain('"id":"1"');
});
