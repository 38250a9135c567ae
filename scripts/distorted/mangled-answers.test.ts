import { expect, test } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { run } from "../../conformance/runner/run.ts";
import type { RunResult } from "../../conformance/runner/run-result.ts";
import { sharedReference } from "../shared-reference.ts";
import { mangle, mangleAlways } from "./mangle.ts";
import { type Distortion, startDistorted } from "./start-distorted.ts";

async function verifyThrough(distort: Distortion): Promise<RunResult> {
  const { target } = await sharedReference();
  const server = await startDistorted(target.baseUrl, distort);
  // What a mangled answer hides is not waited for.
  const timing = { ...target.timing, pollInterval: 10, pollTimeout: 50 };
  const result = await run({ ...target, baseUrl: server.url, timing }, allChecks, {
    ...{ profile: "full", allow: new Set(), only: [], skip: [], seed: 1, runs: 2, jobs: null, path: null },
    ...{ signal: new AbortController().signal, progress: () => undefined },
  });
  await server.close();
  return result;
}

test.each([
  ["a quarter of the answers", mangle(1, 0.25)],
  ["all answers of some operations", mangleAlways(1, 0.3)],
])(
  "whatever shape %s have, the server is to blame and never the kit",
  async (_, distort) => {
    const { rules } = await verifyThrough(distort);
    const faults = rules.flatMap(({ findings }) => findings).filter(({ verdict }) => verdict === "kit_error");
    expect(faults.map(({ check, rule, message }) => `${check} on ${rule}: ${message}`)).toEqual([]);
    const verdicts = new Set(rules.map(({ verdict }) => verdict));
    for (const verdict of ["pass", "fail", "blocked"] as const) expect(verdicts).toContain(verdict);
  },
  240_000,
);
