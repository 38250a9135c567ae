import { createHmac, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { request } from "undici";
import { describe, expect, test } from "vitest";
import { constants } from "../../generated/constants.ts";
import type { Check } from "../context/check.ts";
import { hang } from "../exchange/answer.ts";
import { resultsJson } from "../reports/results-json.ts";
import { loopbackReceiver } from "../target/loopback-receiver.ts";
import type { Target } from "../target/target.ts";
import { planOf } from "./plan.ts";
import { run } from "./run.ts";
import type { RunResult } from "./run-result.ts";

const target: Target = {
  // Nothing listens there: these checks deliver to themselves.
  baseUrl: "http://127.0.0.1:1",
  ...{ key: "svc_live_key", secrets: {}, sandbox: null, hooks: {} },
  timing: { requestTimeout: 1000, maxWait: 0, pollInterval: 10, pollTimeout: 5000, clockSkew: 5000 },
  ...{ implements: null, receiver: loopbackReceiver, shapes: {}, numbers: {} },
};

const check = (work: Check["run"], more: Partial<Check> = {}): Check => ({
  ...{ id: "made-up.check", title: "A made-up check", rules: ["EVT-08"], kind: "scenario", draws: {} },
  ...{ needs: ["key", "receiver"], effects: ["reads"], run: work },
  ...more,
});

const runOf = (checks: readonly Check[], more: Partial<Target> = {}, signal = new AbortController().signal) =>
  run({ ...target, ...more }, checks, {
    ...{ profile: "full", allow: new Set<never>(), only: [], skip: [], seed: 1, runs: null, jobs: null, path: null },
    ...{ signal, progress: () => undefined },
  });

const ruleOf = ({ rules }: RunResult, id = "EVT-08") => rules.find((rule) => rule.id === id);

const deliver = async (url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> =>
  (await request(url, { method: "POST", body: "{}", headers }).catch(() => ({ statusCode: 0 }))).statusCode;

describe("a check with an inbox", () => {
  test("shows a delivery beside the exchanges of a failure, without secret and whole signature", async () => {
    const secret = randomBytes(32).toString("base64");
    const signature = createHmac("sha256", Buffer.from(secret, "base64")).update("1767225600.{}").digest("hex");
    const headers = {
      [constants.signatureHeader]: `t=1767225600,v1=${signature}`,
      [constants.eventIdHeader]: "evt_1",
      "x-echo": secret,
    };
    const result = await runOf([
      check(async (t) => {
        const inbox = t.inbox();
        await deliver(inbox.url, headers);
        const { deliveries } = await inbox.until(1);
        const [delivery] = deliveries;
        if (delivery === undefined) throw new Error("Nothing arrived.");
        const verdict = await t.signer().judge(delivery, secret);
        t.verify("EVT-08", false, { expected: "a breach", actual: verdict.kind, exchanges: [], deliveries });
      }),
    ]);
    const [finding] = ruleOf(result)?.findings ?? [];
    expect(finding).toMatchObject({ verdict: "fail", actual: "valid" });
    expect(finding?.deliveries[0]).toMatchObject({
      number: 1,
      request: {
        method: "POST",
        body: "{}",
        headers: { [constants.signatureHeader]: `t=1767225600,v1=${signature.slice(0, 8)}…` },
      },
      answer: { status: 200 },
    });
    const json = resultsJson(result);
    expect(json).not.toContain(secret);
    expect(json).not.toContain(signature.slice(0, 9));
    expect(finding?.deliveries[0]?.request.headers["x-echo"]).toMatch(/^\$\{SIGNING_SECRET_/);
  });

  test("is not needed to be given one: a spare one is there where the target has a receiver", async () => {
    const seen: (string | undefined)[] = [];
    const spare = check(
      async (t) => {
        const inbox = await t.spareInbox();
        if (inbox !== null) await deliver(inbox.url);
        seen.push(inbox?.deliveries()[0]?.method);
      },
      { needs: ["key"] },
    );
    await runOf([spare]);
    await runOf([spare], { receiver: null });
    expect(seen).toEqual(["POST", undefined]);
  });

  test("can name exchanges and deliveries alike as evidence", async () => {
    const result = await runOf([
      check(async (t) => {
        const inbox = t.inbox();
        await deliver(inbox.url);
        t.equal("EVT-08", "deliveries", inbox.deliveries().length, 2, ...inbox.deliveries());
      }),
    ]);
    expect(ruleOf(result)?.findings[0]?.deliveries).toHaveLength(1);
  });

  test("has an address of its own, which ends with the check", async () => {
    const urls: string[] = [];
    const ask = (id: string) =>
      check(
        async (t) => {
          const inbox = t.inbox();
          inbox.answer(hang);
          void deliver(inbox.url);
          await inbox.until(1);
          urls.push(inbox.url, t.inbox().url);
          t.observe("EVT-08", "seen", ...inbox.deliveries());
        },
        { id },
      );
    const late = check(
      async (t) => {
        t.equal("EVT-08", "late answers", await Promise.all(urls.map((url) => deliver(url))), [410, 410, 410, 410]);
      },
      { id: "made-up.late", effects: ["creates"] },
    );
    const result = await runOf([ask("made-up.one"), ask("made-up.other"), late]);
    expect(new Set(urls).size).toBe(4);
    expect(ruleOf(result)?.message).toBe("");
  });

  test("is a fault of the kit when it does not declare its need", async () => {
    const result = await runOf([check(async (t) => void t.inbox(), { needs: ["key"] })]);
    expect(ruleOf(result)).toMatchObject({ verdict: "kit_error", message: expect.stringContaining("declaring") });
  });

  test("ends with an interrupted run, which leaves nothing listening", async () => {
    const stop = new AbortController();
    let url = "";
    const result = await runOf(
      [
        check(async (t) => {
          const inbox = t.inbox();
          url = inbox.url;
          const waiting = inbox.until(1, { within: 60_000 });
          stop.abort();
          await waiting;
        }),
      ],
      {},
      stop.signal,
    );
    expect(ruleOf(result)).toMatchObject({ verdict: "blocked", message: "the run was interrupted" });
    expect(await deliver(url)).toBe(0);
  });

  test("is blocked when the receiver cannot be started, and says why", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const receiver = { ...loopbackReceiver, listen: { host: "127.0.0.1", port } };
    const result = await runOf([check(async (t) => void t.inbox())], { receiver });
    expect(ruleOf(result)).toMatchObject({
      verdict: "blocked",
      message: expect.stringContaining("listens there already"),
    });
    // Nothing of this run wants it.
    const other = await runOf([check(async () => undefined, { needs: ["key"] })], { receiver });
    expect(other.rules.map((r) => r.message)).not.toContainEqual(expect.stringContaining("listens there"));
    server.close();
  });
});

describe("the plan", () => {
  const options = { profile: "full", allow: new Set<never>(), only: [], skip: [] } as const;
  const checks = [check(async () => undefined)];
  const sandbox = { baseUrl: target.baseUrl, token: "token" };

  test("says how to give the kit a receiver, and that it would help", () => {
    for (const more of [{}, { sandbox }]) {
      const plan = planOf({ ...target, ...more, receiver: null }, checks, options);
      expect(plan.checks[0]?.blocked).toEqual({
        verdict: "blocked",
        message: "the kit has no receiver to which the target could deliver",
        unblock: expect.stringContaining("give the kit a receiver (--receiver-listen"),
      });
      expect(plan.nextSteps).toEqual([
        { gives: ["receiver"], advice: expect.stringContaining("a receiver"), rules: 1, waitSeconds: 0 },
      ]);
    }
    expect(planOf(target, checks, options).checks[0]?.blocked).toBeNull();
  });

  test("a sandbox does not stand in for a receiver", () => {
    const both = [check(async () => undefined, { needs: ["emit", "receiver"] })];
    const steps = (more: Partial<Target>) =>
      planOf({ ...target, ...more }, both, options).nextSteps.map((s) => s.gives);
    expect(steps({ receiver: null })).toEqual([
      ["receiver", "emit_event"],
      ["receiver", "sandbox"],
    ]);
    expect(steps({ receiver: null, sandbox })).toEqual([["receiver"]]);
  });
});
