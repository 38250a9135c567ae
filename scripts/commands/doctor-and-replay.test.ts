import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { madeUpRun } from "../../conformance/reports/made-up-run.ts";
import { resultsJson } from "../../conformance/reports/results-json.ts";
import type { RunResult } from "../../conformance/runner/run-result.ts";
import { callBylaw } from "../call-bylaw.ts";
import { sharedReference } from "../shared-reference.ts";
import type { Reference } from "./reference-target.ts";
import { type Spawned, spawnCommand } from "./spawn-command.ts";

const root = resolve(import.meta.dirname, "../..");

const scratch = mkdtempSync(join(tmpdir(), "bylaw-replay-"));
let reference: Reference;

beforeAll(async () => {
  reference = await sharedReference();
});

afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true });
});

async function bylaw(flags: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Spawned> {
  const given = { BYLAW_SANDBOX_TOKEN: reference.target.sandbox?.token ?? "", ...environment };
  const { code, stdout, stderr } = await callBylaw(scratch, flags, given);
  return { code, out: stdout, err: stderr };
}

describe("doctor", () => {
  test("tells what a sound target offers", async () => {
    const environment = { BYLAW_SANDBOX_TOKEN: reference.target.sandbox?.token ?? "" };
    const { code, out, err } = await spawnCommand(["doctor", "--url", reference.target.baseUrl], { environment });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const part of ["answers as this API", "✓ sandbox", "operations", "--profile full"])
      expect(out).toContain(part);
    expect(out).not.toContain(reference.target.sandbox?.token);
  });

  test("tries the receiver, and says what it cannot know", async () => {
    const url = ["--url", reference.target.baseUrl];
    const { code, out } = await bylaw(["doctor", ...url, "--receiver-listen", "127.0.0.1:0"]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /✓ receiver +http:\/\/127\.0\.0\.1:\d+\n.*arrived; whether the target's arrive, the run will show/,
    );
    const without = await bylaw(["doctor", ...url]);
    expect(without.out).toMatch(/· receiver +not given: --receiver-listen/);
    const { host } = new URL(reference.target.baseUrl);
    const taken = await bylaw(["doctor", ...url], { BYLAW_RECEIVER_LISTEN: host });
    expect(taken).toMatchObject({ code: 2, out: "", err: expect.stringContaining(`${host}: Something listens there`) });
  });

  test.each([
    ["a wrong sandbox token", { BYLAW_SANDBOX_TOKEN: "wrong" }, "BYLAW_SANDBOX_TOKEN"],
    ["a wrong key", { BYLAW_API_KEY: "svc_live_wrong" }, "BYLAW_API_KEY"],
    ["a sandbox elsewhere", { BYLAW_SANDBOX_URL: "http://127.0.0.1:1" }, "http://127.0.0.1:1/sandbox/"],
  ])("exits 2 on %s and names it", async (_, environment, named) => {
    const { code, out, err } = await bylaw(["doctor", "--url", reference.target.baseUrl], environment);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(named);
  });
});

describe("replay", () => {
  /** Results of a run in which a check of the kit failed for KEYC-15, written to a file. */
  function resultsWith(check: string): string {
    const rules: RunResult["rules"] = madeUpRun.rules.map((rule) => ({
      ...rule,
      findings: rule.findings.map((f) => (f.check === "keyc.unknown-scope" ? { ...f, check } : f)),
    }));
    const { baseUrl } = reference.target;
    const target = { baseUrl, sandbox: true, implements: null, flags: ["--url", baseUrl] };
    const file = join(scratch, `${check}.json`);
    writeFileSync(file, resultsJson({ ...madeUpRun, rules, target, profile: "full" }));
    return file;
  }

  test("runs the check of a failure again at the address of that run", async () => {
    const environment = { BYLAW_SANDBOX_TOKEN: reference.target.sandbox?.token ?? "" };
    const flags = ["replay", resultsWith("api-keys.bad-scopes"), "keyc-15"];
    const { code, out, err } = await spawnCommand(flags, { environment });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("seed 42");
    expect(out).toContain("1 check ");
    expect(out).toContain("What api-keys.bad-scopes found of KEYC-15 is gone: the verdict is now pass.");
  });

  test.each([
    ["an unknown rule", "KEYC-151", 'Did you mean "KEYC-15"?'],
    ["a rule that did not fail", "ENV-02", "nothing to replay"],
  ])("exits 2 on %s", async (_, rule, message) => {
    const { code, err } = await bylaw(["replay", resultsWith("api-keys.bad-scopes"), rule]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test.each([
    ["a missing file", "no-such.json", "There is no such file"],
    ["a file that is no JSON", "README.md", "It is no JSON"],
    ["JSON of another kind", "package.json", "must have required property"],
  ])("exits 2 on %s", async (_, file, message) => {
    const { code, err } = await bylaw(["replay", resolve(root, file), "KEYC-15"]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
