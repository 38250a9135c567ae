import { beforeAll, expect, test } from "vitest";
import { allChecks } from "../conformance/checks/all-checks.ts";
import { type RunOptions, run } from "../conformance/runner/run.ts";
import type { RunResult } from "../conformance/runner/run-result.ts";
import type { Target } from "../conformance/target/target.ts";
import type { Reference } from "./commands/reference-target.ts";
import { shareOrganization, twoKeys } from "./shared-organization.ts";
import { sharedReference } from "./shared-reference.ts";

/** Milliseconds: each run takes some ten seconds on a quiet machine. */
const patience = 600_000;

let reference: Reference;

beforeAll(async () => {
  reference = await sharedReference();
});

const runOn = (target: Target, options: Partial<RunOptions>): Promise<RunResult> =>
  run(target, allChecks, {
    ...{ profile: "full", allow: new Set(["exhausts"]), only: [], skip: [], seed: 1, runs: 3, jobs: null, path: null },
    ...{ signal: new AbortController().signal, progress: () => undefined },
    ...options,
  });

/** Verdicts by rule. */
const verdictsOf = ({ rules }: RunResult): Readonly<Record<string, string>> =>
  Object.fromEntries(rules.map(({ id, verdict }) => [id, verdict]));

test("where all checks share an organization, no verdict depends on their order or --jobs", {
  timeout: patience,
}, async () => {
  const { sandbox } = reference.target;
  if (sandbox === null) throw new Error("The reference has no sandbox.");
  const seen: Readonly<Record<string, string>>[] = [];
  for (const order of [
    { shuffle: 4, jobs: 1 },
    { shuffle: 5, jobs: 4 },
  ]) {
    const shared = await shareOrganization(reference.target, sandbox);
    const verdicts = verdictsOf(await runOn(shared.target, order));
    await shared.close();
    const wrong = Object.entries(verdicts).filter(([, verdict]) => verdict !== "pass" && verdict !== "blocked");
    expect(wrong).toEqual([]);
    seen.push(verdicts);
  }
  expect(seen[1]).toEqual(seen[0]);
  expect(Object.values(seen[0] ?? {}).filter((verdict) => verdict === "pass").length).toBeGreaterThan(200);
});

test("if all checks share an organization and none may wait, their order decides at most which rules stay undecided", {
  timeout: patience,
}, async () => {
  const { sandbox } = reference.target;
  if (sandbox === null) throw new Error("The reference has no sandbox.");
  const seen: Readonly<Record<string, string>>[] = [];
  for (const shuffle of [6, 7]) {
    const shared = await twoKeys(reference.target, sandbox);
    const target = { ...shared, timing: { ...shared.timing, maxWait: 0 } };
    const result = await runOn(target, { allow: new Set(), shuffle });
    expect(result.waitedSeconds).toBe(0);
    seen.push(verdictsOf(result));
  }
  for (const verdicts of seen) {
    const wrong = Object.entries(verdicts).filter(([, verdict]) => !["pass", "observed", "blocked"].includes(verdict));
    expect(wrong).toEqual([]);
    expect(Object.values(verdicts).filter((verdict) => verdict === "pass").length).toBeGreaterThan(120);
  }
});
