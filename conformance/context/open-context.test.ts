import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RuleId } from "../../generated/rules.ts";
import type { Exchange, Outcome } from "../exchange/exchange.ts";
import type { Finding } from "../outcome/verdict.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import type { Outgoing, Sender } from "../sending/sender.ts";
import { newStory } from "../story/stories.ts";
import { newTallies } from "../story/tallies.ts";
import type { Check } from "./check.ts";
import type { CheckContext } from "./context.ts";
import { openContext } from "./open-context.ts";

/** What a made-up target answers. */
type Answers = (outgoing: Outgoing, count: number) => Outcome;

/** Milliseconds that it takes for each. */
type Durations = (count: number) => number;

const answer = (status: number, json: unknown, headers: Readonly<Record<string, string>> = {}): Outcome => ({
  ...{ kind: "response", status, headers, text: JSON.stringify(json), json, truncated: false },
});
const success = (data: unknown = {}): Outcome => answer(200, { success: true, data });
const refusal = (status: number, code: string, headers?: Readonly<Record<string, string>>): Outcome =>
  answer(status, { success: false, error: { code, message: "m", request_id: "r" } }, headers);
const lost: Outcome = { kind: "lost", reason: "reset", message: "connection reset" };

function senderOf(answers: Answers, durations: Durations): Sender {
  let count = 0;
  return {
    async send(outgoing): Promise<Exchange> {
      count += 1;
      const { method, headers, body } = outgoing;
      const request = { method, headers, body: body?.toString() ?? null, url: `http://made-up${outgoing.path}` };
      const operation = outgoing.path.startsWith("/v1/api-keys") && outgoing.method === "POST" ? "createApiKey" : null;
      return {
        number: count,
        operation,
        request,
        outcome: answers(outgoing, count),
        sentAt: 0,
        answeredAt: durations(count),
      };
    },
    count: () => count,
    close: async () => undefined,
  };
}

interface Asked {
  readonly answers?: Answers;
  readonly durations?: Durations;
  readonly unserved?: string;
  readonly signal?: AbortSignal;
}

interface Ended {
  readonly error: unknown;
  readonly findings: readonly Finding[];
  /** Seconds that the organization's time was moved by. */
  readonly advanced: readonly number[];
  readonly sent: number;
}

const rules = ["KEYC-01", "KEYC-03", "KEYC-27", "KEYG-05"] as const;

/** Runs a check's function against answers. */
async function ended(run: (t: CheckContext, as: Credential) => Promise<void>, asked: Asked = {}): Promise<Ended> {
  const sender = senderOf(asked.answers ?? (() => success()), asked.durations ?? (() => 0));
  const advanced: number[] = [];
  const unarranged = () => Promise.reject(new Error("nothing is arranged here"));
  const advance = async (seconds: number): Promise<void> => void advanced.push(seconds);
  // No more of an organization is used here.
  const tenant: Tenant = { ...({} as Tenant), advance };
  const check: Check = {
    id: "made-up",
    title: "A made-up check",
    ...{ rules, kind: "scenario", needs: [], effects: [], draws: {}, run: async () => undefined },
  };
  const { context, findings } = openContext(check, {
    timing: { requestTimeout: 1, maxWait: 0, pollInterval: 1, pollTimeout: 1, clockSkew: 0 },
    ...{ sender, runSeed: 1, path: null, runs: 20, tenant: async () => tenant, otherTenant: async () => tenant },
    signal: asked.signal ?? new AbortController().signal,
    unserved: () => asked.unserved ?? null,
    inbox: () => {
      throw new Error("there is no receiver here");
    },
    ...{
      spareInbox: unarranged,
      signer: () => ({ judge: unarranged }),
      shapes: {},
      numbers: {},
      ...{ breached: () => undefined, story: newStory(), course: newTallies().course() },
    },
  });
  const error = await run(context, { name: "a key", token: "t", id: null, scopes: null, tenant }).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { error, findings: findings(), advanced, sent: sender.count() };
}

const get = (t: CheckContext, as: Credential) => t.call("getApiKey", { path: { id: "1" } }, as);

describe("an assertion", () => {
  const seen = { expected: "this", actual: "that", exchanges: [] };

  test.each<[RuleId, boolean, string]>([
    ["KEYC-01", true, "pass"],
    ["KEYC-01", false, "fail"],
    ["KEYC-27", false, "warn"],
  ])("of %s that holds: %s, gives %s", async (rule, holds, verdict) => {
    const { findings } = await ended(async (t) => void expect(t.verify(rule, holds, seen)).toBe(holds));
    expect(findings.map((f) => f.verdict)).toEqual([verdict]);
  });

  test("that goes beyond what the rule demands only warns", async () => {
    const { findings } = await ended(async (t) => void t.verify("KEYC-01", false, { ...seen, warnOnly: true }));
    expect(findings.map((f) => f.verdict)).toEqual(["warn"]);
  });

  test("stays what it was, whatever the check throws after it", async () => {
    const thrown = new Error("afterwards");
    const { findings, error } = await ended(async (t) => {
      t.verify("KEYC-01", false, seen);
      throw thrown;
    });
    expect(error).toBe(thrown);
    expect(findings).toMatchObject([{ rule: "KEYC-01", verdict: "fail", message: "expected this, got that" }]);
  });

  test("keeps every breach of a rule and one pass of it", async () => {
    const { findings } = await ended(async (t) => {
      for (const holds of [true, true, false, false]) t.verify("KEYC-01", holds, seen);
    });
    expect(findings.map((f) => f.verdict)).toEqual(["pass", "fail", "fail"]);
  });

  test("is not made of random values, where the check is a scenario", async () => {
    const { error } = await ended(async (t) => void t.random());
    expect(String(error)).toContain("declare it as sampled");
  });

  test("of a rule that the check does not declare is a fault of the kit", async () => {
    const decided = await ended(async (t) => void t.verify("KEYR-01", true, seen));
    const observed = await ended(async (t) => void t.observe("KEYR-01", "this"));
    for (const { error, findings } of [decided, observed]) {
      expect(error).toMatchObject({ name: "Error", message: expect.stringContaining("KEYR-01 without declaring it") });
      expect(findings).toEqual([]);
    }
  });

  test("is none where something is only observed", async () => {
    const { findings } = await ended(async (t, as) => t.observe("KEYG-05", "this was seen", await get(t, as)));
    expect(findings).toMatchObject([{ verdict: "observed", message: "this was seen", exchanges: [{ number: 1 }] }]);
  });
});

describe("a call that is throttled", () => {
  const throttledUntil = (last: number, retryAfter: Readonly<Record<string, string>>): Answers => {
    return (_, count) => (count < last ? refusal(429, "RATE_LIMITED", retryAfter) : success());
  };

  test("waits as long as it is told and is sent again", async () => {
    const { error, advanced, sent } = await ended(async (t, as) => void (await get(t, as)), {
      answers: throttledUntil(3, { "retry-after": "7" }),
    });
    expect({ error, advanced, sent }).toEqual({ error: null, advanced: [7, 7], sent: 3 });
  });

  test("blocks when it goes on", async () => {
    const { error, advanced } = await ended(async (t, as) => void (await get(t, as)), {
      answers: throttledUntil(1_000, { "retry-after": "1" }),
    });
    expect(error).toMatchObject({ name: "Blocked", message: expect.stringContaining("still throttled after") });
    expect(advanced.length).toBeGreaterThan(1);
  });

  test.each([
    ["no Retry-After", {}],
    ["Retry-After: 0", { "retry-after": "0" }],
    ["Retry-After: -3", { "retry-after": "-3" }],
    ["Retry-After: soon", { "retry-after": "soon" }],
    ["Retry-After: 86400000", { "retry-after": "86400000" }],
  ])("blocks at once with %s, and says so", async (what, headers) => {
    const { error, advanced, sent } = await ended(async (t, as) => void (await get(t, as)), {
      answers: throttledUntil(1_000, headers),
    });
    expect(error).toMatchObject({ name: "Blocked", message: `getApiKey is throttled, with ${what}` });
    expect({ advanced, sent }).toEqual({ advanced: [], sent: 1 });
  });

  test("is what an attempt wants to see", async () => {
    const { error, sent } = await ended(async (t, as) => void (await t.attempt("getApiKey", {}, as)), {
      answers: throttledUntil(1_000, {}),
    });
    expect({ error, sent }).toEqual({ error: null, sent: 1 });
  });
});

describe("a connection that is lost", () => {
  test("is the server's doing where the server still answers others", async () => {
    const { findings, error } = await ended(async (t, as) => void t.accepted("KEYC-01", await get(t, as)), {
      answers: (_, count) => (count === 1 ? lost : refusal(401, "UNAUTHORIZED")),
    });
    expect(error).toBeNull();
    expect(findings).toMatchObject([{ verdict: "fail", actual: expect.stringContaining("connection reset") }]);
  });

  test.each([
    { took: 5, blocks: false },
    { took: 400, blocks: true },
  ])(
    "that ran out of time is the server's doing unless its next answer comes late as well: after $took ms",
    async (given) => {
      const { findings, error } = await ended(async (t, as) => void t.accepted("KEYC-01", await get(t, as)), {
        answers: (_, count) => (count === 1 ? { ...lost, reason: "timeout" } : refusal(401, "UNAUTHORIZED")),
        durations: (count) => (count === 1 ? 1000 : given.took),
      });
      if (given.blocks) expect(error).toMatchObject({ name: "Blocked", origin: "environment" });
      else expect(error).toBeNull();
      expect(findings).toHaveLength(given.blocks ? 0 : 1);
    },
  );

  test("blocks where the server is gone, and loses nothing that was found before", async () => {
    const { findings, error } = await ended(
      async (t, as) => {
        t.accepted("KEYC-01", await get(t, as));
        await get(t, as);
      },
      { answers: (_, count) => (count === 1 ? refusal(500, "INTERNAL_ERROR") : lost) },
    );
    expect(error).toMatchObject({ name: "Blocked", origin: "environment" });
    expect(findings).toMatchObject([{ rule: "KEYC-01", verdict: "fail" }]);
  });

  test("loses no breach that a property holds", async () => {
    const { findings, error, sent } = await ended(
      (t, as) => t.property(fc.nat(), async () => void t.accepted("KEYC-01", await get(t, as))),
      { answers: (_, count) => (count <= 3 ? success() : count === 4 ? refusal(500, "INTERNAL_ERROR") : lost) },
    );
    expect(error).toBeNull();
    expect(findings.filter((f) => f.verdict === "fail")).toMatchObject([
      { rule: "KEYC-01", actual: "500 INTERNAL_ERROR", counterexample: { path: "3" } },
    ]);
    // One smaller value, and the look whether anybody is still there.
    expect(sent).toBe(6);
  });
});

describe("a set-up", () => {
  test("that is refused blocks and shows the refusal", async () => {
    const { error, findings } = await ended(async (t, as) => void t.control(await get(t, as), "reading a key"), {
      answers: () => refusal(500, "INTERNAL_ERROR"),
    });
    expect(error).toMatchObject({
      ...{ name: "Blocked", origin: "server", message: "reading a key was answered 500 INTERNAL_ERROR" },
      exchange: { number: 1 },
    });
    expect(findings).toEqual([]);
  });

  test("of an operation that the target lacks does not apply", async () => {
    const { error, sent } = await ended(async (t, as) => void (await get(t, as)), { unserved: "there are no keys" });
    expect(error).toMatchObject({ name: "NotApplicable", message: "there are no keys" });
    expect(sent).toBe(0);
  });

  test("is one for all who share a key, and is tried again after it failed", async () => {
    const { error, sent } = await ended(
      async (t, as) => {
        await expect(t.createKey(as, ["a"])).rejects.toMatchObject({ name: "Blocked", origin: "server" });
        const [one, other] = await Promise.all([t.createKey(as, ["a"]), t.createKey(as, ["a"])]);
        expect(one).toBe(other);
        expect(one.credential).toMatchObject({ id: "id 2", token: "secret 2", scopes: ["a"] });
        expect(await t.createKey(as, ["a"], { own: true })).not.toBe(one);
        expect((await t.createKey(as, ["b"])).id).toBe("id 4");
      },
      {
        answers: (_, count) =>
          count === 1 ? refusal(500, "INTERNAL_ERROR") : success({ id: `id ${count}`, plaintext: `secret ${count}` }),
      },
    );
    expect(error).toBeNull();
    expect(sent).toBe(4);
  });

  test("whose answer has no key in it blocks", async () => {
    for (const data of [{}, [], null, "key", { id: 1, plaintext: "p" }]) {
      const { error } = await ended(async (t, as) => void (await t.createKey(as, ["a"])), {
        answers: () => success(data),
      });
      expect(error).toMatchObject({ name: "Blocked", origin: "server" });
    }
  });
});

test("a check has one property, so that a path names one value", async () => {
  const { error } = await ended(async (t) => {
    await t.property(fc.nat(), async () => undefined);
    await t.property(fc.nat(), async () => undefined);
  });
  expect(error).toMatchObject({ message: "Check made-up has more than one property." });
});
