import { describe, expect, it } from "vitest";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { preflight } from "../../conformance/preflight/preflight.ts";
import { htmlReport } from "../../conformance/reports/html.ts";
import { run } from "../../conformance/runner/run.ts";
import { exitCodeOf, type RunResult } from "../../conformance/runner/run-result.ts";
import type { Target } from "../../conformance/target/target.ts";
import { degenerateServers } from "./degenerate-servers.ts";
import { startDegenerate } from "./start-degenerate.ts";

const requestTimeout = 300;

/** All that can be offered without a sandbox; nothing of it means anything to these servers. */
const targetAt = (url: string): Target => ({
  baseUrl: url,
  key: "svc_live_ours00000000",
  secrets: {
    other_key: "svc_live_theirs000000",
    revoked_key: "svc_live_gone00000000",
    session_token: "svc_sess_ours00000000",
  },
  ...{ sandbox: null, hooks: {}, implements: null },
  ...{ receiver: null, shapes: {}, numbers: {} },
  timing: { requestTimeout, maxWait: 0, pollInterval: 20, pollTimeout: 100, clockSkew: 5_000 },
});

const verify = (target: Target): Promise<RunResult> =>
  run(target, allChecks, {
    ...{ profile: "full", allow: new Set(["exhausts"]), only: [], skip: [], seed: 1 },
    ...{ runs: null, jobs: null, path: null, signal: new AbortController().signal, progress: () => undefined },
  });

const withVerdict = ({ rules }: RunResult, wanted: string): readonly string[] =>
  rules.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);

describe.each(degenerateServers)("a server that answers every request alike: $name", ({ answer, stopped, keeps }) => {
  it("is told from an implementation before the run", async () => {
    const server = await startDegenerate(answer);
    const failure = await preflight(targetAt(server.url));
    await server.close();
    expect(failure).toMatchObject({ kind: stopped.kind, message: expect.stringMatching(stopped.message) });
  });

  it("passes what it keeps in earnest and nothing else, is never green, and is done within its time", async () => {
    const server = await startDegenerate(answer);
    const result = await verify(targetAt(server.url));
    await server.close();
    expect([...withVerdict(result, "pass"), ...withVerdict(result, "observed")].sort()).toEqual(
      keeps.flatMap(({ rules }) => rules).sort(),
    );
    expect(exitCodeOf(result)).not.toBe(0);
    // Characters: a page that a browser opens at once.
    expect(htmlReport(result).length).toBeLessThan(1_000_000);
    expect(withVerdict(result, "kit_error")).toEqual([]);
    expect(result.waitedSeconds).toBe(0);
    expect(result.durationMs).toBeLessThan(result.requests * requestTimeout + 20_000);
  });
});
