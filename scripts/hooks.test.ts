import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { allChecks } from "../conformance/checks/all-checks.ts";
import { run } from "../conformance/runner/run.ts";
import { isDecided, type RunResult } from "../conformance/runner/run-result.ts";
import { readTarget } from "../conformance/target/read-target.ts";
import type { Target } from "../conformance/target/target.ts";
import { type Reference, startReference } from "./commands/reference-target.ts";

const root = resolve(import.meta.dirname, "..");
const example = resolve(root, "conformance/examples/hooks.yaml");
let reference: Reference;

beforeAll(async () => {
  reference = await startReference({});
  vi.stubEnv("CONTROLS_TOKEN", reference.target.sandbox?.token ?? "");
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await reference.close();
});

/** The target of the example, at the address of the reference. */
function exampleTarget(): Target {
  const file = { name: example, text: readFileSync(example, "utf8") };
  const read = readTarget({ file, environment: {}, flags: { "--url": reference.target.baseUrl, "--max-wait": "0" } });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.target;
}

const verify = (target: Target, only: readonly string[] = []): Promise<RunResult> =>
  run(target, allChecks, {
    profile: "full",
    allow: new Set(),
    only,
    skip: [],
    seed: 1,
    runs: 1,
    jobs: null,
    path: null,
    signal: new AbortController().signal,
    progress: () => undefined,
  });

describe("the example of hooks", () => {
  test("decides as many rules as the guide says, without a key, a sandbox, leave or waiting", async () => {
    // The same by a command, to show that the forms of a hook mix.
    const program = `
      import { text } from "node:stream/consumers";
      import { revokeKey } from ${JSON.stringify(resolve(root, "conformance/examples/hooks.ts"))};
      await revokeKey(JSON.parse(await text(process.stdin)));
    `;
    const command = [process.execPath, "--input-type=module", "-e", program];
    const target = exampleTarget();
    const result = await verify({ ...target, hooks: { ...target.hooks, revokeKey: { kind: "command", command } } });
    const undecided = result.rules.filter(({ verdict }) => !isDecided(verdict));
    expect(result.rules.filter(({ verdict }) => verdict === "fail" || verdict === "kit_error")).toEqual([]);
    expect(result.waitedSeconds).toBe(0);
    const guide = readFileSync(resolve(root, "docs/for-implementers.md"), "utf8");
    const [, left] = /decide all but (\d+) of the rules/.exec(guide) ?? [];
    expect(undecided.map(({ id }) => id)).toHaveLength(Number(left));
    // What is left wants what no hook arranges, or an answer that the reference does not give.
    for (const { message } of undecided)
      expect(message).toMatch(/offers no (state|outage|limit override)|no answer of this run/);
    expect(result.leftBehind).toEqual([]);
  }, 300_000);
});

test("a hook that fails blocks what it was to arrange, and breaks no rule", async () => {
  const target = exampleTarget();
  const hooks = { ...target.hooks, revokeKey: { kind: "command", command: ["/bin/false"] } } as const;
  const { rules } = await verify({ ...target, hooks }, ["api-keys.revoked-key-read"]);
  const rule = rules.find(({ id }) => id === "KEYG-07");
  expect(rule).toMatchObject({ verdict: "blocked", message: "the hook revoke_key failed: it ended with code 1" });
  expect(rule?.findings.map(({ unblock }) => unblock)).toEqual([
    "mend the hook revoke_key of the target file, or leave it out",
  ]);
});
