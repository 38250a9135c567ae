import { afterEach, beforeEach, expect, it } from "vitest";
import type { Effect } from "../../conformance/arrangements/effect.ts";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { preflight } from "../../conformance/preflight/preflight.ts";
import { run } from "../../conformance/runner/run.ts";
import { exitCodeOf, type Profile, type RunResult } from "../../conformance/runner/run-result.ts";
import type { Target } from "../../conformance/target/target.ts";
import { type MinimalServer, startMinimal } from "./minimal-server.ts";

let server: MinimalServer;

// Each run has the limits of the organization to itself.
beforeEach(async () => {
  server = await startMinimal();
});
afterEach(() => server.close());

type Secrets = Pick<Target, "key" | "secrets">;

const oneKey = (): Secrets => ({ key: server.key, secrets: {} });
const allSecrets = (): Secrets => server;

/** A run without leave to wait, and the milliseconds after which it knew something. */
async function verify(
  { key, secrets }: Secrets,
  profile: Profile,
  allow: readonly Effect[],
  only: readonly string[] = [],
) {
  const target: Target = {
    ...{ baseUrl: server.url, key, secrets, sandbox: null, hooks: {}, implements: null },
    ...{ receiver: null, shapes: {}, numbers: {} },
    timing: { requestTimeout: 10_000, maxWait: 0, pollInterval: 50, pollTimeout: 2_000, clockSkew: 5_000 },
  };
  expect(await preflight(target)).toBeNull();
  let firstVerdict = Number.POSITIVE_INFINITY;
  const result = await run(target, allChecks, {
    ...{ profile, allow: new Set(allow), only, skip: [], seed: 1, runs: null, jobs: null, path: null },
    signal: new AbortController().signal,
    progress: ({ check, elapsedMs }) => {
      if (check !== null) firstVerdict = Math.min(firstVerdict, elapsedMs);
    },
  });
  return { result, firstVerdict };
}

const idsOf = ({ rules }: RunResult, ...verdicts: readonly string[]): readonly string[] =>
  rules.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);

/** No false alarm, no waiting, and every rule that was left undecided says what to do about it. */
function expectHarmless(result: RunResult): void {
  expect(result.rules.filter(({ verdict }) => ["fail", "warn", "kit_error"].includes(verdict))).toEqual([]);
  expect(exitCodeOf(result)).toBe(0);
  expect(result.waitedSeconds).toBe(0);
  for (const { id, verdict, message, findings } of result.rules) {
    if (verdict !== "blocked") continue;
    const advised = findings.some(({ unblock }) => unblock !== null && unblock !== "");
    expect([id, advised || message === "no check of this run decides it"]).toEqual([id, true]);
  }
}

it("a URL and one key decide most Core rules at once, without waiting", async () => {
  const { result, firstVerdict } = await verify(oneKey(), "core", []);
  expectHarmless(result);
  expect(idsOf(result, "pass", "observed").length).toBeGreaterThan(result.rules.length * 0.75);
  expect(firstVerdict).toBeLessThan(result.durationMs / 2);
  expect(result.nextSteps.length).toBeGreaterThan(0);
  expect(result.leftBehind.length).toBeGreaterThan(0);
});

it("a second key, a session and a revoked key decide more", async () => {
  const rules = ["AUTH-05", "AUTH-06", "TEN-01", "TEN-05"];
  const { result } = await verify(allSecrets(), "full", [], rules);
  expectHarmless(result);
  expect(idsOf(result, "pass")).toEqual(rules);
});

it("leave to use up limits without leave to wait blocks what would wait", async () => {
  const { result } = await verify(oneKey(), "full", ["exhausts"]);
  expectHarmless(result);
  const limits = result.rules.filter(({ id }) => ["KEYC-29", "KEYC-30", "KEYC-32", "KEYR-01"].includes(id));
  expect(limits.map(({ verdict }) => verdict)).toEqual(["blocked", "blocked", "blocked", "blocked"]);
  for (const { findings } of limits) expect(findings.map(({ unblock }) => unblock).join()).toMatch(/--max-wait \d+/);
});
