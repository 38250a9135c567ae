import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Need, settings } from "../conformance/arrangements/all.ts";
import { freshOrganization } from "../conformance/arrangements/fresh-organization.ts";
import { allChecks } from "../conformance/checks/all-checks.ts";
import { readTarget } from "../conformance/configuration/read-target.ts";
import { callDraws, type Draws, drawnIn, sumOfDraws } from "../conformance/context/draws.ts";
import { type Exchange, statusOf } from "../conformance/exchange/exchange.ts";
import { type RunOptions, run } from "../conformance/runner/run.ts";
import { isDecided, type RunResult } from "../conformance/runner/run-result.ts";
import { drawsOf } from "../conformance/runner/waits.ts";
import type { Target } from "../conformance/target/target.ts";
import { errorRows } from "../generated/error-rows.ts";
import { operationList } from "../generated/operations.ts";
import type { Reference } from "./commands/reference-target.ts";
import { sharedReference } from "./shared-reference.ts";
import { notPassed, wholeRuns } from "./whole-runs.ts";

const root = resolve(import.meta.dirname, "..");
const example = resolve(root, "conformance/examples/hooks.yaml");
let reference: Reference;

beforeAll(async () => {
  reference = await sharedReference();
  vi.stubEnv("CONTROLS_TOKEN", reference.target.sandbox?.token ?? "");
});

afterAll(async () => {
  vi.unstubAllEnvs();
});

const isOfOwnOrganization = (need: Need): boolean =>
  need === freshOrganization.need || settings.some((setting) => setting.need === need);

/** The target of the example, at the reference's address. */
function exampleTarget(): Target {
  const file = { name: example, text: readFileSync(example, "utf8") };
  const read = readTarget({ file, environment: {}, flags: { "--url": reference.target.baseUrl, "--max-wait": "0" } });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.target;
}

const verify = (target: Target, more: Partial<RunOptions> = {}): Promise<RunResult> =>
  run(target, allChecks, {
    ...{ profile: "full", allow: new Set(["sends"]), only: [], skip: [], seed: 1, runs: 1, jobs: null, path: null },
    ...{ signal: new AbortController().signal, progress: () => undefined },
    ...more,
  });

/** Counts the calls that may draw on a limit: all that are not refused for whose they are. */
function newCounter() {
  const { Unauthorized, Forbidden } = errorRows;
  const refusals: readonly (number | null)[] = [Unauthorized.referenceStatus, Forbidden.referenceStatus];
  let draws: Draws[] = [];
  return {
    heard(exchange: Exchange): void {
      const drawn = operationList.find(({ id }) => id === exchange.operation)?.draws ?? [];
      if (!refusals.includes(statusOf(exchange))) draws.push(callDraws(drawn, 1));
    },
    /** Calls since it was asked before. */
    taken(): Draws {
      const sum = sumOfDraws(draws);
      draws = [];
      return sum;
    },
  };
}

describe("the example of hooks", () => {
  test("decides as many rules as the guide says, and no check draws more on a limit than it declares", async () => {
    // The same by a command, to show that the forms of a hook mix: one that is asked now and then.
    const program = `
      import { text } from "node:stream/consumers";
      import { setNumberAssignment } from ${JSON.stringify(resolve(root, "conformance/examples/hooks.ts"))};
      await setNumberAssignment(JSON.parse(await text(process.stdin)));
    `;
    const command = [process.execPath, "--input-type=module", "-e", program];
    const { heard, taken } = newCounter();
    const target = exampleTarget();
    const drawn = new Map<string, Draws>();
    const result = await verify(
      { ...target, hooks: { ...target.hooks, set_number_assignment: { kind: "command", command } } },
      // One at a time, each in organizations of its own, so that it is known whose the calls are.
      { ...wholeRuns.hooked, heard, progress: ({ check }) => void drawn.set(check?.id ?? "", taken()) },
    );
    // Who always has an organization of its own takes nothing from anybody.
    const sharing = allChecks.filter(({ needs }) => !needs.some(isOfOwnOrganization));
    const excess = sharing.flatMap((check) =>
      drawnIn(drawn.get(check.id) ?? {}).flatMap(([bucket, calls]) =>
        calls > (drawsOf(check, 1)[bucket] ?? 0) ? [`${check.id}: ${calls} on ${bucket}`] : [],
      ),
    );
    expect.soft(excess).toEqual([]);
    const undecided = result.rules.filter(({ verdict }) => !isDecided(verdict));
    expect.soft(notPassed(result)).toEqual([]);
    expect.soft(result.waitedSeconds).toBe(0);
    const guide = readFileSync(resolve(root, "docs/for-implementers.md"), "utf8");
    expect.soft(guide).toMatch(/decide\s+every rule/);
    expect.soft(undecided.map(({ id, message }) => ({ id, message }))).toEqual([]);
    const inPart = result.rules.flatMap(({ id, coverage }) => (coverage?.missing ?? []).map((one) => ({ id, ...one })));
    // What the reference does not do, no hook can give.
    expect.soft(inPart.filter(({ unblock }) => unblock?.startsWith("give the kit"))).toEqual([]);
    expect.soft(result.leftBehind).toEqual([]);
  }, 900_000);
});

test("a hook that fails blocks what it was to arrange, and breaks no rule", async () => {
  const target = exampleTarget();
  const hooks = { ...target.hooks, revoke_key: { kind: "command", command: ["/bin/false"] } } as const;
  const { rules } = await verify({ ...target, hooks }, { only: ["api-keys.revoked-key-read"] });
  const rule = rules.find(({ id }) => id === "KEYG-07");
  expect(rule).toMatchObject({ verdict: "blocked", message: "the hook revoke_key failed: it ended with code 1" });
  expect(rule?.findings.map(({ unblock }) => unblock)).toEqual([
    "mend the hook revoke_key of the target file, or leave it out",
  ]);
});
