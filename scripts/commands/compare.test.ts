import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import type { Comparison } from "../../conformance/comparison/compare-results.ts";
import { resultsJson } from "../../conformance/reports/results-json.ts";
import { run } from "../../conformance/runner/run.ts";
import { allEdits } from "../../reference-server/edits/all-edits.ts";
import { startEdited } from "../../reference-server/edits/start-edited.ts";
import { callBylaw } from "../call-bylaw.ts";

const scratch = mkdtempSync(join(tmpdir(), "bylaw-compare-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Runs the checks of an area on the reference with these edits, and keeps the results. */
async function keepResults(name: string, edits: readonly string[], seed = 1): Promise<void> {
  const server = await startEdited(allEdits.filter(({ id }) => edits.includes(id)));
  const target = {
    baseUrl: server.url,
    ...{ key: null, secrets: {}, hooks: {}, implements: null, receiver: null, shapes: {}, numbers: {} },
    sandbox: { baseUrl: server.url, token: server.sandboxToken },
    timing: { requestTimeout: 5000, maxWait: 0, pollInterval: 50, pollTimeout: 5000, clockSkew: 5000 },
  };
  const result = await run(target, allChecks, {
    ...{ profile: "full", allow: new Set(), only: ["KEYG"], skip: [], seed, runs: 3, jobs: null, path: null },
    ...{ signal: new AbortController().signal, progress: () => undefined },
  });
  await server.close();
  writeFileSync(join(scratch, name), resultsJson(result));
}

beforeAll(async () => {
  await keepResults("reference.json", []);
  await keepResults("masked.json", ["KEYG-02-masked"]);
  await keepResults("revoked.json", ["KEYG-15-rotated"], 2);
});

const reference = (): object => JSON.parse(readFileSync(join(scratch, "reference.json"), "utf8"));

const compare = (...args: readonly string[]) => callBylaw(scratch, ["compare", ...args]);

async function compared(before: string, after: string) {
  const { code, stdout } = await compare(before, after, "--format", "json");
  const comparison = JSON.parse(stdout) as Comparison;
  const of = (change: string) => comparison.rules.filter((rule) => rule.change === change).map(({ id }) => id);
  return { code, broken: of("newly broken"), fixed: of("fixed"), alike: of("alike").length, comparison };
}

describe("bylaw compare", () => {
  test("tells the rule that a server newly breaks, and the one that it keeps again", async () => {
    expect(await compared("reference.json", "masked.json")).toMatchObject({ code: 1, broken: ["KEYG-02"], fixed: [] });
    expect(await compared("masked.json", "reference.json")).toMatchObject({ code: 0, broken: [], fixed: ["KEYG-02"] });
    const { code, broken, fixed, comparison } = await compared("masked.json", "revoked.json");
    expect({ code, fixed }).toEqual({ code: 1, fixed: ["KEYG-02"] });
    expect(broken).toContain("KEYG-15");
    expect(comparison.conditions.find(({ name }) => name === "seed")).toMatchObject({ differs: true });
  });

  test("finds a run like itself", async () => {
    const { code, comparison } = await compared("masked.json", "masked.json");
    expect(code).toBe(0);
    expect(comparison.rules.filter(({ change }) => change !== "alike" && change !== "still broken")).toEqual([]);
  });

  test("says it in words, with the command that shows a failure again", async () => {
    const { code, stdout } = await compare("reference.json", "masked.json");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Newly broken \(1\)\nKEYG-02 [\s\S]+ {4}npx bylaw replay masked\.json KEYG-02$/m);
    const markdown = await compare("reference.json", "masked.json", "--format", "markdown");
    expect(markdown.stdout).toMatch(/^## ❌ 1 newly broken, \d+ alike\n/);
  });

  test.each([
    ["a missing file", "gone.json", null, "gone.json: There is no such file."],
    ["a folder", ".", null, ".: It is a folder."],
    ["no JSON", "text.json", "text", "text.json: It is no JSON."],
    ["foreign JSON", "foreign.json", "{}", "foreign.json: It must have required property 'format'."],
    ["another format", "later.json", { format: 2 }, "later.json: /format must be equal to constant."],
    ["a member of another type", "seed.json", { seed: "one" }, "seed.json: /seed must be integer."],
  ])("ends on %s with code 2, naming file and pointer", async (_, name, content, message) => {
    const file = join(scratch, name);
    if (typeof content === "string") writeFileSync(file, content);
    else if (content !== null) writeFileSync(file, JSON.stringify({ ...reference(), ...content }));
    const { code, stdout, stderr } = await compare("reference.json", name);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(stderr).toContain("Give the results.json that bylaw verify wrote");
  });
});
