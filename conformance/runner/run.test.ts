import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { errorRows } from "../../generated/error-rows.ts";
import type { OperationId } from "../../generated/operations.ts";
import { revocation } from "../arrangements/revocation.ts";
import type { Check } from "../context/check.ts";
import type { CheckContext } from "../context/context.ts";
import { NotApplicable } from "../outcome/verdict.ts";
import { headlineOf } from "../reports/headline.ts";
import type { Target } from "../target/target.ts";
import { run } from "./run.ts";
import { exitCodeOf, type RunResult } from "./run-result.ts";

let server: Server;
let target: Target;

beforeAll(async () => {
  const { code, referenceStatus } = errorRows.NotFound;
  server = createServer((_, response) => {
    response.writeHead(referenceStatus, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: false, error: { code, message: "No.", request_id: "r1" } }));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  target = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ key: "svc_live_ours00000000", secrets: {}, sandbox: null },
    ...{ hooks: {}, implements: null, receiver: null, shapes: {}, numbers: {} },
    timing: { requestTimeout: 50, maxWait: 0, pollInterval: 10, pollTimeout: 50, clockSkew: 0 },
  };
});

afterAll(() => void server.close());

const check = (id: string, body: (t: CheckContext) => Promise<void>): Check => ({
  ...{ id, title: id, rules: ["KEYG-08", "KEYG-09"], kind: "scenario", needs: ["key"], effects: ["reads"], draws: {} },
  run: body,
});

const never = (): Promise<never> => new Promise(() => undefined);

const runOf = (
  checks: readonly Check[],
  signal = new AbortController().signal,
  only: readonly string[] = ["KEYG-08", "KEYG-09"],
  more: Partial<Target> = {},
): Promise<RunResult> =>
  run({ ...target, ...more }, checks, {
    ...{ profile: "core", allow: new Set(), only, skip: [], seed: 1, runs: 1, jobs: 1 },
    ...{ path: null, signal, progress: () => undefined },
  });

const ruleOf = ({ rules }: RunResult, id: string) => rules.find((rule) => rule.id === id);

test("a run whose hook is out of reach is unfinished, and blocks what wants it", async () => {
  const revoking = ["a", "b", "c", "d"].map((id) =>
    check(id, async (t) => {
      const tenant = await t.tenant();
      await tenant.arrange(revocation, { ...(await tenant.main()), id: "k1" });
    }),
  );
  const hooks = { revoke_key: { kind: "url", url: "http://127.0.0.1:9" } } as const;
  const result = await runOf(revoking, undefined, undefined, { hooks });
  expect(result.interrupted).toMatch(/^hook revoke_key down since \S+Z, after no answer at all: 3 requests in a row/);
  expect(exitCodeOf(result)).toBe(2);
  expect(ruleOf(result, "KEYG-08")?.verdict).toBe("blocked");
});

test("who is told of a breach may end the run at it, and the breach stays", async () => {
  const breaking = check("a.breaks", async (t) => {
    t.verify("KEYG-09", true, { expected: "", actual: "", exchanges: [] });
    t.verify("KEYG-08", false, { expected: "one thing", actual: "another", exchanges: [] });
    await never();
  });
  let isRun = false;
  const after = check("b.ends", async () => {
    isRun = true;
  });
  const enough = new AbortController();
  const told: string[] = [];
  const result = await run(target, [breaking, after], {
    ...{ profile: "core", allow: new Set(), only: ["KEYG-08"], skip: [], seed: 1, runs: 1, jobs: 1 },
    ...{ path: null, signal: enough.signal, progress: () => undefined },
    breached(finding) {
      told.push(`${finding.check} ${finding.rule}`);
      enough.abort();
    },
  });
  expect(told).toEqual(["a.breaks KEYG-08"]);
  expect(ruleOf(result, "KEYG-08")).toMatchObject({ verdict: "fail", message: "expected one thing, got another" });
  expect(isRun).toBe(false);
});

test("a check that hangs is ended by its deadline: what it saw stays, what it did not decide is blocked", async () => {
  const hanging = check("a.hangs", async (t) => {
    t.verify("KEYG-08", false, { expected: "one thing", actual: "another", exchanges: [] });
    await never();
  });
  const after = check(
    "b.ends",
    async (t) => void t.verify("KEYG-09", true, { expected: "", actual: "", exchanges: [] }),
  );
  const blocked = await runOf([hanging]);
  expect(ruleOf(blocked, "KEYG-08")?.verdict).toBe("fail");
  expect(ruleOf(blocked, "KEYG-09")).toMatchObject({
    verdict: "blocked",
    message: "the check was not done within its 1.5 s",
  });
  expect(exitCodeOf(blocked)).toBe(1);
  // The next one is none the worse for it.
  expect(ruleOf(await runOf([hanging, after]), "KEYG-09")?.verdict).toBe("pass");
});

test("an interruption ends what is under way and what was not begun, and loses no breach", async () => {
  const stop = new AbortController();
  const interrupting = check("a.interrupts", async (t) => {
    t.verify("KEYG-08", false, { expected: "one thing", actual: "another", exchanges: [] });
    stop.abort();
    await never();
  });
  let begun = false;
  const later = check("b.later", async () => {
    begun = true;
  });
  const result = await runOf([interrupting, later], stop.signal);
  expect(begun).toBe(false);
  expect(result.interrupted).toMatch(/^interrupted/);
  expect(ruleOf(result, "KEYG-08")?.verdict).toBe("fail");
  expect(ruleOf(result, "KEYG-09")).toMatchObject({ verdict: "blocked", message: "the run was interrupted" });
  expect(exitCodeOf(result)).toBe(1);
});

test.each(["deadline", "interruption"])(
  "a breach that a property holds survives a %s while smaller values are tried",
  async (end) => {
    const stop = new AbortController();
    let tried = 0;
    const hanging = check("a.shrinks", (t) =>
      t.property(fc.integer({ min: 1_000, max: 2_000 }), async (value) => {
        tried += 1;
        if (tried > 1 && end === "interruption") stop.abort();
        if (tried > 1) await never();
        t.verify("KEYG-08", false, { expected: "less", actual: String(value), exchanges: [] });
      }),
    );
    const result = await runOf([hanging], stop.signal);
    const [finding] = ruleOf(result, "KEYG-08")?.findings ?? [];
    expect(tried).toBe(2);
    expect(finding).toMatchObject({ verdict: "fail", counterexample: { seed: 1, path: "0", value: finding?.actual } });
    expect(exitCodeOf(result)).toBe(1);
  },
);

test("a fault of the kit is told, also after all rules were decided, and where others were asked for", async () => {
  const holding = { expected: "", actual: "", exchanges: [] };
  const crashing = check("a.crashes", async (t) => {
    t.verify("KEYG-08", true, holding);
    t.verify("KEYG-09", true, holding);
    throw new TypeError("x is undefined");
  });
  const result = await runOf([crashing]);
  expect(result.checks[0]?.verdict).toBe("kit_error");
  expect(ruleOf(result, "KEYG-09")?.message).toContain("x is undefined");
  expect(exitCodeOf(result)).toBe(2);

  const early = check("a.crashes", async (t) => {
    t.verify("KEYG-08", true, holding);
    throw new TypeError("x is undefined");
  });
  expect(exitCodeOf(await runOf([early], undefined, ["KEYG-08"]))).toBe(2);

  const breaking = check("a.crashes", async (t) => {
    t.verify("KEYG-08", false, holding);
    throw new TypeError("x is undefined");
  });
  const broken = await runOf([breaking]);
  expect(ruleOf(broken, "KEYG-08")).toMatchObject({
    verdict: "fail",
    findings: [{ verdict: "fail" }, { verdict: "kit_error" }],
  });
  expect(exitCodeOf(broken)).toBe(1);
});

test("an operation counts as missed where the profile leaves its check out, and not where a filter does", async () => {
  const at = (operation: OperationId, effects: Check["effects"] = ["reads"]): Check => ({
    ...check(`a.holds.${operation}`, async (t) => {
      for (const rule of ["KEYG-08", "KEYG-09"] as const)
        t.verify(rule, true, { expected: "", actual: "", exchanges: [] });
    }),
    ...{ operation, effects },
  });
  const coverageOf = async (...only: readonly string[]) =>
    ruleOf(await runOf([at("getApiKey"), at("createApiKey", ["exhausts"])], undefined, only), "KEYG-08")?.coverage;
  expect(await coverageOf("a.holds.getApiKey")).toEqual({ decided: 1, of: 1, missing: [] });
  const missing = [{ operation: "createApiKey", message: "no part of a Core run", unblock: "run with --profile full" }];
  expect(await coverageOf("KEYG-08")).toEqual({ decided: 1, of: 2, missing });
});

test("nothing is sent for a check that has ended", async () => {
  let sent: unknown = null;
  const release = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  const stop = new AbortController();
  const ending = check("a.ends", async (t) => {
    stop.abort();
    await release.promise;
    sent = await t.send({ method: "GET", path: "/late", headers: {}, body: null }).catch((error: unknown) => error);
    late.resolve();
  });
  const before = await runOf([ending], stop.signal);
  release.resolve();
  await late.promise;
  expect(before.requests).toBe(0);
  expect(sent).toMatchObject({ name: "Blocked", message: "the run was interrupted" });
});

test("a run in which no rule was decided, though its check decided another one, ends with exit code 2", async () => {
  const deciding = check("a.decides-another", async (t) => {
    t.verify("KEYG-08", true, { expected: "", actual: "", exchanges: [] });
    throw new NotApplicable("nothing bears on the other rule");
  });
  const result = await runOf([deciding], undefined, ["KEYG-09"]);
  expect(ruleOf(result, "KEYG-09")?.verdict).toBe("not_applicable");
  expect(headlineOf(result)).toContain("none of 1 Core rules decided");
  expect(exitCodeOf(result)).toBe(2);
  expect(exitCodeOf(await runOf([deciding]))).toBe(0);
});
