import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Results } from "../../conformance/reports/results-json.ts";
import { allEdits } from "../../reference-server/edits/all-edits.ts";
import { type EditedServer, startEdited } from "../../reference-server/edits/start-edited.ts";
import { callBylaw } from "../call-bylaw.ts";

const scratch = mkdtempSync(join(tmpdir(), "bylaw-baseline-"));
/** The edit breaks these, as one check sees. */
const broken = ["KEYG-08", "KEYG-09", "KEYG-10"];
const check = "api-keys.unreadable-ids";
let server: EditedServer;

beforeAll(async () => {
  server = await startEdited(allEdits.filter(({ id }) => id === "KEYG-08-versions"));
  mkdirSync(join(scratch, ".bylaw"));
});

afterAll(async () => {
  await server.close();
  rmSync(scratch, { recursive: true });
});

const verify = (...flags: readonly string[]) =>
  callBylaw(scratch, ["verify", "--url", server.url, "--profile", "full", "--only", check, ...flags], {
    BYLAW_SANDBOX_TOKEN: server.sandboxToken,
  });
const report = (name: string): string => readFileSync(join(scratch, "report", name), "utf8");
const keep = (text: string): void => writeFileSync(join(scratch, "baseline.yaml"), text);

describe("a baseline", () => {
  test("is begun from a run, refused until a person has filled it in, and then keeps the run green", async () => {
    expect((await verify()).code).toBe(1);
    const begun = await callBylaw(scratch, ["baseline", "report/results.json"]);
    expect(begun.code).toBe(0);
    keep(begun.stdout);
    const refused = await verify("--baseline", "baseline.yaml");
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toMatch(/baseline\.yaml:\d+:\d+: \/known\/0\/reason: "reason" is empty\.\n {2}Write why/);
    expect(refused.stderr).toContain('/known/0/owner: "owner" is empty.');

    keep(begun.stdout.replaceAll('reason: ""', "reason: ticket 123").replaceAll('owner: ""', "owner: team-keys"));
    const { code, stdout } = await verify("--baseline", "baseline.yaml");
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓ no new violation; known: 3; \d+ of \d+ Full rules decided/);
    expect(stdout).toMatch(
      /KEYG-08 {4}known until \d{4}-\d\d-\d\d, expires within (89|90) days; team-keys: ticket 123/,
    );
    const results = JSON.parse(report("results.json")) as Results;
    expect(results).toMatchObject({ exitCode: 0, baseline: { rules: broken, stale: [], untried: [] } });
    // It was run and its verdict stays what it is.
    expect(results.rules.filter(({ verdict }) => verdict !== "pass").map(({ id }) => id)).toEqual(broken);
    expect(report("junit.xml")).toMatch(/<skipped message="known failure: known until [^"]+ team-keys: ticket 123;/);
    expect(report("junit.xml")).toContain('failures="0"');
    expect(report("summary.md")).toMatch(/^## ✅ no new violation; known: 3;/);
    expect(report("report.html")).toContain("team-keys: ticket 123");
    expect((await callBylaw(scratch, ["baseline", "report/results.json"])).stdout).toContain("known: []");
  });

  test("fails the run where an entry is stale, and says what to do", async () => {
    keep(
      ["KEYG-08", "KEYG-99"]
        .map((rule) => `- { rule: ${rule}, reason: r, owner: o, expires: 2020-01-31 }`)
        .reduce((text, entry) => `${text}\n${entry}`, "known:"),
    );
    const { code, stdout } = await verify("--baseline", "baseline.yaml");
    expect(code).toBe(1);
    expect(stdout).toContain("It ended on 2020-01-31.\n");
    expect(stdout).toContain("KEYG-99 is no rule of the contract.");
    expect(stdout).toMatch(/→ baseline\.yaml:3:3: Correct the entry, or remove it\./);
    expect(report("junit.xml")).toMatch(/<testsuite name="baseline" tests="2" failures="2"/);
  });

  test("that is not there or cannot be read ends the command with code 2", async () => {
    expect(await verify("--baseline", "gone.yaml")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("begin one: npx bylaw baseline report/results.json > gone.yaml"),
    });
    keep("known: [\n");
    expect((await verify("--baseline", "baseline.yaml")).stderr).toMatch(
      /baseline\.yaml:\d+:\d+: [\s\S]*Correct the YAML/,
    );
  });
});
