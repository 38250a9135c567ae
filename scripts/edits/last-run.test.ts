import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { concessions } from "./concessions.ts";
import type { Judgement } from "./judge.ts";
import { lastRun } from "./last-run.ts";

const folder = mkdtempSync(join(tmpdir(), "bylaw-last-run-"));
afterAll(() => rmSync(folder, { recursive: true }));

const judgement: Judgement = { holds: true, message: "green", checks: [], conceded: [], report: null };

test("a record that does not exist has no judgements", () => {
  expect(lastRun(join(folder, "none.jsonl")).read()).toEqual(new Map());
});

test("the later judgement of a trial counts, with the concessions themselves", () => {
  const record = lastRun(join(folder, "run.jsonl"));
  record.clear();
  record.add("lawful whole 1", { ...judgement, holds: false });
  record.add("lawful whole 1", { ...judgement, conceded: concessions.slice(1, 2) });
  const read = record.read().get("lawful whole 1");
  expect(read).toEqual({ ...judgement, conceded: concessions.slice(1, 2) });
  expect(read?.conceded[0]).toBe(concessions[1]);
});

test("another run begins an empty record", () => {
  const record = lastRun(join(folder, "cleared.jsonl"));
  record.clear();
  record.add("lawful whole 1", judgement);
  record.clear();
  expect(record.read()).toEqual(new Map());
});
