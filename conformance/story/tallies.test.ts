import { describe, expect, it } from "vitest";
import type { Scope } from "../../generated/scopes.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { sandboxStep, stepOf } from "./stories.ts";
import { newTallies, type Tallies } from "./tallies.ts";
import { toldTally } from "./told-tally.ts";

const made = (number: number, body: unknown, key = "k1", status = 200): Exchange => ({
  ...{ number, operation: "topUpWallet", sentAt: number, answeredAt: number },
  request: {
    ...{ method: "POST", url: "http://target.test/v1/billing/topup" },
    ...{ headers: { authorization: `Bearer ${key}` }, body: JSON.stringify(body) },
  },
  outcome: { kind: "response", status, headers: {}, text: "", json: undefined, truncated: false },
});

/** Decides of calls of one check whether each held. */
function decide(tallies: Tallies, calls: readonly (readonly [exchange: Exchange, holds: boolean])[]): void {
  const course = tallies.course();
  for (const [exchange, holds] of calls) {
    course.hear(stepOf(exchange));
    course.decided({ rule: "BIL-23", expected: "what it adds = 5", exchanges: [exchange] }, holds);
  }
}

const breach = (exchange: Exchange) => ({ rule: "BIL-23", expected: "what it adds = 7", exchanges: [exchange] });

/** What is told of the calls like the last one. */
function toldOf(calls: readonly (readonly [exchange: Exchange, holds: boolean])[]): string | null {
  const tallies = newTallies();
  decide(tallies, calls);
  const [last] = calls.at(-1) ?? [];
  const told = last === undefined ? null : toldTally(tallies.tallyOf(breach(last)), null, (text) => text);
  return told && `${told.failed} of ${told.of}: ${told.apart}`;
}

describe("tallies", () => {
  it("tell that values failed that came again", () => {
    const calls = ["a1", "b2", "c3", "a1", "b2"].map((option, at) => [made(at + 1, { option }), at < 3] as const);
    expect(toldOf(calls)).toBe(
      "2 of 5: all that failed (2) had a value of body/option with which the same caller had been served before; none of the others (3) did",
    );
  });

  it("tell of reads what they ask for, and not that it was asked for before", () => {
    const read = (number: number, query: string): Exchange => {
      const call = made(number, {});
      const request = { ...call.request, method: "GET", url: `http://target.test/v1/webhooks/deliveries?${query}` };
      return { ...call, operation: "listDeliveryAttempts", request: { ...request, body: null } };
    };
    const queries = ["limit=200", "limit=200&outcome=dead", "limit=200&since=1", "limit=6&outcome=dead"];
    const calls = queries.map((query, at) => [read(at + 1, query), at < 3] as const);
    expect(toldOf(calls)).toContain('1 of 4: all that failed (1) had ?limit "6"');
  });

  it("tell no value that another caller sent, or that was refused, from a new one", () => {
    const calls = [
      [made(1, { option: "a1" }, "k1", 402), true],
      [made(2, { option: "a1" }, "k2", 402), true],
      [made(3, { option: "a1" }, "k3", 402), true],
      [made(4, { option: "b2" }, "k4", 402), true],
      [made(5, { option: "a1" }, "k5"), false],
    ] as const;
    expect(toldOf(calls)).toBe("1 of 5: null");
  });

  it("are of all calls of which the same is wanted, each of the value that it was made with", () => {
    const zones = ["Europe/Paris", "Asia/Tokyo", "America/Indiana/Knox", "Etc/GMT+5"];
    const tallies = newTallies();
    const course = tallies.course();
    const calls = zones.map((zone, at) => made(at + 1, { zone }, "k1", at < 2 ? 200 : 422));
    const wanted = (at: number) => ({ rule: "USR-03", expected: `${zones[at]} taken as a timezone` });
    for (const [at, exchange] of calls.entries()) {
      course.hear(stepOf(exchange));
      course.decided({ ...wanted(at), exchanges: [exchange] }, at < 2);
    }
    const last = made(4, { zone: zones[3] }, "k1", 422);
    const told = toldTally(tallies.tallyOf({ ...breach(last), ...wanted(3) }), null, (text) => text);
    expect(told?.rows.map(({ holds, says }) => `${holds ? "✓" : "✗"} ${says}`)).toEqual([
      ...['✗ zone "Etc/GMT+5" → 422', '✗ zone "America/Indiana/Knox" → 422'],
      ...['✓ zone "Europe/Paris" → 200', '✓ zone "Asia/Tokyo" → 200'],
    ]);
  });

  it("tell a value with which another caller had been served, and how much a list holds", () => {
    const asked = [["a1"], ["b2"], ["c3"], ["d4"]].flatMap((options, at) => [
      made(2 * at + 1, { options: at < 2 ? options : [...options, "e5"] }, "k1"),
      made(2 * at + 2, { options }, "k2"),
    ]);
    const tallies = newTallies();
    const course = tallies.course();
    for (const exchange of asked) {
      course.hear(stepOf(exchange));
      if (exchange.number % 2 === 0)
        course.decided({ rule: "BIL-23", expected: "it", exchanges: [exchange] }, exchange.number > 4);
    }
    const told = toldTally(tallies.tallyOf({ ...breach(made(4, {}, "k2")), expected: "it" }), null, (text) => text);
    expect(told?.apart).toContain("had a value of body/options with which another caller had been served before");
    expect(told?.rows.map(({ holds, says }) => `${holds} ${says}`)).toEqual([
      ...['false options ["b2"] → 200', 'false options ["a1"] → 200'],
      ...['true options ["c3"] → 200', 'true options ["d4"] → 200'],
    ]);
  });

  it("tell a value with which the same caller had been answered so before", () => {
    const calls = ["a1", "b2", "c3", "a1", "b2"].map(
      (option, at) => [made(at + 1, { option }, "k1", 502), at < 3] as const,
    );
    expect(toldOf(calls)).toBe(
      "2 of 5: all that failed (2) had a value of body/option with which the same caller had been answered 502 before; none of the others (3) did",
    );
  });

  it("tell an answer before from what came itself", () => {
    const calls = ["a1", "b2", "c3", "d4", "e5"].flatMap((option, at) => [
      [made(4 * at + 1, { option }, `k${at}`, 422), null] as const,
      // What went well had been refused before as well.
      [made(4 * at + 2, { option, at }, `k${at}`, at < 4 ? 200 : 422), at < 4] as const,
    ]);
    const tallies = newTallies();
    const course = tallies.course();
    for (const [exchange, holds] of calls) {
      course.hear(stepOf(exchange));
      if (holds !== null) course.decided({ rule: "BIL-23", expected: "it", exchanges: [exchange] }, holds);
    }
    const told = toldTally(tallies.tallyOf({ ...breach(made(18, {}, "k4")), expected: "it" }), null, (text) => text);
    expect(told?.apart).not.toContain("answered 422 before");
  });

  it("tell which scopes the sandbox gave the key that was used, and nothing of what it was asked for none of", () => {
    const tallies = newTallies();
    const course = tallies.course();
    const asked = (what: string, body: object, answer: object) =>
      sandboxStep(what, {
        ...{ method: "POST", url: "http://target.test/keys", headers: {}, status: 200, sentAt: 1 },
        ...{ body: Buffer.from(JSON.stringify(body)), answer: Buffer.from(JSON.stringify({ data: answer })) },
      });
    for (const at of [1, 2, 3, 4, 5]) {
      const scopes = at === 5 ? ["things:read", "things:write"] : ["things:read"];
      course.hear(asked(`create a key with ${scopes.join(", ")}`, { scopes }, { plaintext: `k${at}` }));
    }
    const calls = [1, 2, 3, 4, 5].map((at) => made(at, { option: at }, `k${at}`));
    for (const exchange of calls) {
      if (exchange.number === 5) course.hear(asked("set an outage", { kind: "calls", calls: 0 }, {}));
      course.hear(stepOf(exchange));
      course.decided({ rule: "BIL-23", expected: "it", exchanges: [exchange] }, exchange.number !== 5);
    }
    const told = toldTally(tallies.tallyOf({ ...breach(made(5, {}, "k5")), expected: "it" }), null, (text) => text);
    expect(told?.apart).toContain("used a key with things:write");
    expect(told?.apart).not.toContain("outage");
  });

  it("tell how the scopes that a call asks for stand to those of its key", () => {
    const [held, sibling, other] = ["webhooks:read", "webhooks:write", "messages:send"] satisfies readonly Scope[];
    const tallies = newTallies();
    const course = tallies.course();
    for (const key of ["k1", "k2", "k3", "k4"])
      course.hear(
        sandboxStep("create a key", {
          ...{ method: "POST", url: "http://target.test/keys", headers: {}, status: 200, sentAt: 1 },
          body: Buffer.from(JSON.stringify({ scopes: [held] })),
          answer: Buffer.from(JSON.stringify({ data: { plaintext: key } })),
        }),
      );
    const calls = [held, other, sibling, other].map((scope, at) => made(at + 1, { scopes: [scope] }, `k${at + 1}`));
    for (const exchange of calls) {
      course.hear(stepOf(exchange));
      course.decided({ rule: "BIL-23", expected: "it", exchanges: [exchange] }, exchange !== calls[2]);
    }
    const told = toldTally(tallies.tallyOf({ ...breach(made(3, {}, "k3")), expected: "it" }), null, (text) => text);
    expect(told?.apart).toContain("asked for a scope that its key lacks, of an area of which it holds another");
  });

  it("end where a key was issued to itself, as by a server that gives everybody the same", () => {
    const tallies = newTallies(() => stepOf(made(9, {}, "k1")));
    const course = tallies.course();
    for (const exchange of [made(1, {}, "k1"), made(2, {}, "k1")]) {
      course.hear(stepOf(exchange));
      course.decided({ rule: "BIL-23", expected: "it", exchanges: [exchange] }, exchange.number === 2);
    }
    const told = toldTally(tallies.tallyOf({ ...breach(made(1, {}, "k1")), expected: "it" }), null, (text) => text);
    expect(told).toMatchObject({ failed: 1, of: 2 });
  });

  it("tell what the organization of a caller was created with, however the caller came by its key", () => {
    const issued = new Map([["k9", stepOf(made(9, {}, "k1"))]]);
    const tallies = newTallies((secret) => issued.get(secret) ?? null);
    const course = tallies.course();
    const created = (key: string, floor: number) =>
      sandboxStep("create an organization", {
        ...{ method: "POST", url: "http://target.test/organizations", headers: {}, status: 200, sentAt: 1 },
        body: Buffer.from(JSON.stringify({ floor, clock: "manual" })),
        answer: Buffer.from(JSON.stringify({ data: { key: { plaintext: key } } })),
      });
    course.hear(created("k1", 5000));
    course.hear(created("k2", 0));
    const calls = [made(1, {}, "k9"), made(2, {}, "k2")];
    for (const exchange of calls) {
      course.hear(stepOf(exchange));
      course.decided({ rule: "BIL-23", expected: "it", exchanges: [exchange] }, exchange.number === 2);
    }
    const told = toldTally(tallies.tallyOf({ ...breach(made(1, {}, "k9")), expected: "it" }), null, (text) => text);
    expect(told?.rows.map(({ says }) => says)).toEqual([
      "organization's floor 5000 → 200",
      "organization's floor 0 → 200",
    ]);
  });

  it("set calls apart by the settings of their organization, and by what the sandbox was asked for in it", () => {
    const tallies = newTallies();
    const course = tallies.course();
    const asked = (what: string, path: string, body: object, answer: object) =>
      sandboxStep(what, {
        ...{ method: "POST", url: `http://target.test${path}`, headers: {}, status: 200, sentAt: 1 },
        ...{ body: Buffer.from(JSON.stringify(body)), answer: Buffer.from(JSON.stringify({ data: answer })) },
      });
    for (const at of [1, 2, 3, 4])
      course.hear(
        asked(
          "create an organization",
          "/organizations",
          { floor: at === 4 ? 5000 : 0 },
          { id: `org-0000${at}`, key: `k${at}` },
        ),
      );
    course.hear(asked("set a line type", "/organizations/org-00001/lines", { line_type: "FIXED" }, {}));
    course.hear(asked("set a line type", "/organizations/org-00004/lines", { line_type: "VOIP" }, {}));
    for (const at of [1, 2, 3, 4]) {
      const exchange = made(at, {}, `k${at}`);
      course.hear(stepOf(exchange));
      course.decided({ rule: "BIL-23", expected: "it", exchanges: [exchange] }, at !== 4);
    }
    const told = toldTally(tallies.tallyOf({ ...breach(made(4, {}, "k4")), expected: "it" }), null, (text) => text);
    expect(told?.apart).toBe(
      "all that failed (1) had an organization with floor 5000, or came after the sandbox was asked to set a line type with " +
        'body/line_type "VOIP"; none of the others (3) did; no call had one of these without the other',
    );
  });

  it("set calls apart by what another caller of their organization had changed", () => {
    const tallies = newTallies();
    const course = tallies.course();
    for (const at of [1, 2, 3, 4, 5])
      course.hear(
        sandboxStep("create an organization", {
          ...{ method: "POST", url: "http://target.test/organizations", headers: {}, status: 200, sentAt: 1 },
          body: Buffer.from("{}"),
          answer: Buffer.from(JSON.stringify({ data: { id: `org-0000${at}`, keys: [`k${at}`, `other${at}`] } })),
        }),
      );
    for (const at of [1, 2, 3, 4, 5]) {
      course.hear(
        stepOf(made(10 * at, { note: `n${at}` }, at === 5 ? "other5" : `other${6 - at}`, at === 5 ? 200 : 402)),
      );
      const exchange = made(10 * at + 1, {}, `k${at}`);
      course.hear(stepOf(exchange));
      course.decided({ rule: "BIL-23", expected: "it", exchanges: [exchange] }, at !== 5);
    }
    const told = toldTally(tallies.tallyOf({ ...breach(made(51, {}, "k5")), expected: "it" }), null, (text) => text);
    expect(told?.apart).toBe(
      "all that failed (1) came after a topUpWallet with which another caller of its organization had been served; none of " +
        "the others (4) did",
    );
  });

  it("take what is tried until it is as wanted for one call", () => {
    const tallies = newTallies();
    const course = tallies.course();
    const tries = ["a1", "b2", "c3", "d4", "e5", "e5", "e5"].map((option, at) => made(at + 1, { option }));
    for (const [at, exchange] of tries.entries()) {
      course.hear(stepOf(exchange));
      if (at < 4 || at === 6) course.decided({ rule: "BIL-23", expected: "it", exchanges: [exchange] }, at < 4);
    }
    const told = toldTally(tallies.tallyOf({ ...breach(made(7, {})), expected: "it" }), null, (text) => text);
    expect(told?.apart).toBe(
      "all that failed (1) came after exactly 4 topUpWallet that had been served; none of the others (4) did",
    );
  });

  it("are not set apart by what had been done before where few calls held", () => {
    const tallies = newTallies();
    const course = tallies.course();
    for (const [at, option] of ["a1", "b2", "c3", "d4"].entries()) {
      const exchange = made(at + 1, { option });
      course.hear(stepOf(exchange));
      course.decided({ rule: "BIL-23", expected: "it", exchanges: [exchange] }, at < 3);
    }
    const told = toldTally(tallies.tallyOf({ ...breach(made(4, {})), expected: "it" }), null, (text) => text);
    expect(told).toMatchObject({ failed: 1, of: 4, apart: null });
  });

  it("tell what the sandbox had been asked for", () => {
    const tallies = newTallies();
    const course = tallies.course();
    const texted = (text: string) =>
      sandboxStep("receive a text", {
        ...{ method: "POST", url: "http://target.test/inbound", headers: {}, status: 200, sentAt: 1 },
        ...{ body: Buffer.from(JSON.stringify({ from: "+12125550143", text })), answer: Buffer.from("{}") },
      });
    for (const [at, exchange] of [1, 2, 3, 4].map((number) => made(number, {}, `k${number}`)).entries()) {
      course.hear(texted(at === 3 ? "YES" : "Who is this?"));
      course.hear(stepOf(exchange));
      course.decided({ rule: "BIL-23", expected: "it", exchanges: [exchange] }, at !== 3);
    }
    const told = toldTally(tallies.tallyOf({ ...breach(made(4, {})), expected: "it" }), null, (text) => text);
    expect(told?.apart).toBe(
      'all that failed (1) came after the sandbox was asked to receive a text with body/text "YES"; none of the others (3) did',
    );
  });

  it("tell a mode by its value", () => {
    const calls = [true, true, false, false, true].map(
      (holds, at) => [made(at + 1, { mode: holds ? "defer" : "reject" }, `k${at}`), holds] as const,
    );
    expect(toldOf([...calls.filter(([, holds]) => holds), ...calls.filter(([, holds]) => !holds)])).toContain(
      'all that failed (2) had body/mode "reject"; none of the others (3) did',
    );
  });

  it("count a call once, as failed where it failed once, and those of several checks together", () => {
    const tallies = newTallies();
    const one = made(1, {});
    decide(tallies, [
      [one, false],
      [one, true],
    ]);
    decide(tallies, [[made(2, {}), true]]);
    expect(tallies.tallyOf(breach(one))).toMatchObject({ failed: 1, of: 2, apart: null });
  });

  it("know calls beyond those that are looked at by their number", () => {
    const tallies = newTallies();
    const calls = Array.from({ length: 500 }, (_, at) => [made(at + 1, {}), at !== 499] as const);
    decide(tallies, calls);
    expect(tallies.tallyOf(breach(made(500, {})))).toMatchObject({ failed: 1, of: 500 });
  });

  it("say nothing where a decision was made without a call, or never", () => {
    const tallies = newTallies();
    const one = made(1, {});
    expect(tallies.tallyOf(breach(one))).toBeNull();
    decide(tallies, [[one, false]]);
    tallies.course().decided({ rule: "BIL-23", expected: "what it adds = 5", exchanges: [] }, true);
    expect(tallies.tallyOf(breach(one))).toBeNull();
  });

  it("set nothing apart where the evidence of calls differs in kind", () => {
    const tallies = newTallies();
    const calls = [1, 2, 3, 4, 5].map((at) => made(at, { option: at > 3 ? "again" : `n${at}` }, `k${at}`));
    const course = tallies.course();
    for (const call of calls) course.hear(stepOf(call));
    for (const [at, call] of calls.entries()) {
      const exchanges = at > 2 ? [call, call] : [call];
      course.decided({ rule: "BIL-23", expected: "what it adds", exchanges }, at <= 2);
    }
    expect(tallies.tallyOf(breach(made(5, {})))).toMatchObject({ failed: 2, of: 5, apart: null, isSearched: false });
  });

  it("name the steps that a story has", () => {
    const tallies = newTallies();
    const calls = ["a1", "b2", "c3", "a1", "b2"].map((option, at) => [made(at + 1, { option }), at < 3] as const);
    decide(tallies, calls);
    const steps = calls.slice(2).map(([exchange]) => ({ ...stepOf(exchange), gives: [] }));
    const told = toldTally(tallies.tallyOf(breach(made(5, {}))), { steps, omitted: 0 }, (text) => text);
    expect(told?.apart).toMatch(/^all that failed \(2, in steps 2, 3\) .*; none of the others \(3, in step 1\) did$/);
    expect(told?.steps).toEqual([1, 2, 3]);
  });
});
