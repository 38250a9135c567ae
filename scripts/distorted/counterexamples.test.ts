import { beforeAll, describe, expect, test } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import type { Check } from "../../conformance/context/check.ts";
import type { Finding } from "../../conformance/outcome/verdict.ts";
import { replayCommand } from "../../conformance/reports/replay-command.ts";
import { run } from "../../conformance/runner/run.ts";
import type { RunResult } from "../../conformance/runner/run-result.ts";
import type { Reference } from "../commands/reference-target.ts";
import { sharedReference } from "../shared-reference.ts";
import { plantedInProperties } from "./planted-in-properties.ts";
import { startDistorted } from "./start-distorted.ts";

let reference: Reference;

beforeAll(async () => {
  reference = await sharedReference();
});

const verify = (baseUrl: string, check: Check, path: string | null): Promise<RunResult> =>
  run({ ...reference.target, baseUrl }, [check], {
    ...{ profile: "full", allow: new Set(), only: [], skip: [], seed: 1, runs: 20, jobs: 1, path },
    ...{ signal: new AbortController().signal, progress: () => undefined },
  });

/** What a value showed: breaches, or where there are none, warnings. */
function foundByValue({ rules }: RunResult): Finding[] {
  const found = rules.flatMap(({ findings }) => findings).filter(({ counterexample }) => counterexample !== null);
  const breaches = found.filter(({ verdict }) => verdict === "fail");
  return breaches.length > 0 ? breaches : found;
}

const properties = allChecks.filter(({ kind }) => kind === "property");

test("every check of a property has a fault planted for it, and no other", () => {
  expect(Object.keys(plantedInProperties).sort()).toEqual(properties.map(({ id }) => id).sort());
});

describe.each(properties)("the counterexample of $id", (check) => {
  test("is found again at its path, by itself", async () => {
    const plant = plantedInProperties[check.id] ?? (() => (_, answer) => answer);
    const first = await startDistorted(reference.target.baseUrl, plant());
    const found = await verify(first.url, check, null);
    await first.close();
    const [finding, ...others] = foundByValue(found);
    expect(finding).toMatchObject({ check: check.id, counterexample: { seed: 1, path: expect.stringMatching(/^\d/) } });
    if (finding === undefined || finding.counterexample === null) return;
    expect(others.map(({ rule }) => rule)).not.toContain(finding.rule);
    const { path, value } = finding.counterexample;
    expect(value).toMatch(check.id === "api-keys.key-life" ? /^create\([01]\) → readAsStranger\(0\)$/ : /[^{}]/);
    expect(replayCommand(found, finding)).toMatch(new RegExp(`--only ${check.id} .*--seed 1 --path ${path}$`));

    // Other state, as it is when somebody replays it later.
    const second = await startDistorted(reference.target.baseUrl, plant());
    const again = await verify(second.url, check, path);
    await second.close();
    expect(foundByValue(again).map(({ rule, counterexample }) => [rule, counterexample?.path])).toEqual([
      [finding.rule, path],
    ]);
    expect(again.requests).toBeLessThanOrEqual(found.requests);
  });
});
