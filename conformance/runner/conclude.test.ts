import { describe, expect, test } from "vitest";
import { newRecorder } from "../context/recorder.ts";
import { type Exchange, summaryOf } from "../exchange/exchange.ts";
import { monitorId } from "../monitor/monitor.ts";
import { Blocked, type Finding, NotApplicable } from "../outcome/verdict.ts";
import { blamed } from "./blame.ts";
import { concluded, ruleResult, worstOf } from "./conclude.ts";

const check = {
  id: "made-up",
  title: "A made-up check",
  rules: ["KEYC-01", "KEYC-03", "KEYC-04"],
  kind: "scenario",
  ...{ needs: [], effects: [], draws: {}, run: async () => undefined },
} as const;

/** What is found when these rules were decided before the check ended so. */
function conclusions(decided: Partial<Record<(typeof check.rules)[number], boolean>>, ended: unknown): Finding[] {
  const recorder = newRecorder(check);
  for (const rule of check.rules) {
    const holds = decided[rule];
    if (holds !== undefined) recorder.verify(rule, holds, { expected: "this", actual: "that", exchanges: [] });
  }
  return concluded(check, recorder.findings(), ended);
}

const verdicts = (findings: readonly Finding[]) => findings.map(({ rule, verdict }) => [rule, verdict]);

const refused: Exchange = {
  ...{ number: 1, operation: "createApiKey", sentAt: 0, answeredAt: 0 },
  request: { method: "POST", url: "http://127.0.0.1:1/v1/api-keys", headers: {}, body: null },
  outcome: { kind: "response", status: 500, headers: {}, text: "", json: undefined, truncated: false },
};

describe("a check that ended", () => {
  test("keeps every finding that it made before it could not go on", () => {
    const findings = conclusions({ "KEYC-01": false, "KEYC-03": true }, new TypeError("x is undefined"));
    expect(verdicts(findings)).toEqual([
      ["KEYC-01", "fail"],
      ["KEYC-03", "pass"],
      ["KEYC-01", "kit_error"],
      ["KEYC-03", "kit_error"],
      ["KEYC-04", "kit_error"],
    ]);
  });

  test("tells that the kit failed where every rule was decided before, and still fails what it found broken", () => {
    const decided = { "KEYC-01": true, "KEYC-03": true, "KEYC-04": true };
    const ended = new TypeError("x is undefined");
    const passed = conclusions(decided, ended);
    expect(worstOf(passed.map(({ verdict }) => verdict))).toBe("kit_error");
    expect(passed.at(-1)?.message).toContain("x is undefined");
    const failed = conclusions({ ...decided, "KEYC-03": false }, ended);
    const ofRule = (rule: string) => worstOf(failed.filter((f) => f.rule === rule).map(({ verdict }) => verdict));
    expect(check.rules.map(ofRule)).toEqual(["kit_error", "fail", "kit_error"]);
  });

  test("keeps what it decided where nothing but the target stopped it afterwards", () => {
    const decided = { "KEYC-01": true, "KEYC-03": true, "KEYC-04": true };
    for (const ended of [new Blocked("it is gone", "look", "environment"), new NotApplicable("not there"), null])
      expect(verdicts(conclusions(decided, ended)).map(([, verdict]) => verdict)).toEqual(["pass", "pass", "pass"]);
  });

  test("blames the rule that it found broken for those that it did not decide", () => {
    const findings = conclusions({ "KEYC-01": false }, null);
    expect(verdicts(findings)).toEqual([
      ["KEYC-01", "fail"],
      ["KEYC-03", "blocked"],
      ["KEYC-04", "blocked"],
    ]);
    expect(findings[1]).toMatchObject({ origin: "server", unblock: "mend KEYC-01 first" });
    expect(findings[1]?.message).toContain("KEYC-01 is broken");
  });

  test("blames it too where the server refused a set-up after it", () => {
    const findings = conclusions({ "KEYC-01": false }, new Blocked("it was refused", "look", "server", refused));
    expect(findings[1]).toMatchObject({ verdict: "blocked", unblock: "mend KEYC-01 first", exchanges: [refused] });
    expect(findings[1]?.message).toMatch(/^it was refused; KEYC-01 is broken/);
  });

  test("does not blame it for what the environment or the target file lacks", () => {
    const findings = conclusions({ "KEYC-01": false }, new Blocked("it is gone", "look", "environment"));
    expect(findings[1]).toMatchObject({ verdict: "blocked", message: "it is gone", unblock: "look" });
  });

  test("is at fault itself where it left a rule undecided with nothing broken", () => {
    expect(verdicts(conclusions({ "KEYC-01": true }, null)).slice(1)).toEqual([
      ["KEYC-03", "kit_error"],
      ["KEYC-04", "kit_error"],
    ]);
  });

  test("tells what the target lacks", () => {
    expect(conclusions({}, new NotApplicable("not there"))[0]).toMatchObject({
      verdict: "not_applicable",
      message: "not there",
    });
  });
});

describe("a set-up that the server refused", () => {
  const blocked = conclusions({}, new Blocked("it was refused", "see its rules", "server", refused)).slice(0, 1);
  const failing = (rule: Finding["rule"], by: string): Finding[] =>
    blocked.map((finding) => ({ ...finding, rule, check: by, verdict: "fail", origin: null, exchanges: [] }));

  test("is blamed on the rules about its operation that other checks found broken", () => {
    const [finding] = blamed([...blocked, ...failing("KEYC-30", "another"), ...failing("KEYG-01", "another")]);
    expect(finding?.unblock).toBe("mend KEYC-30 first");
  });

  test("is blamed on what every answer must keep where none is", () => {
    // The answer has no envelope; of a body that is no error nothing is said.
    const broken = [...failing("ENV-07", monitorId), ...failing("ENV-04", monitorId), ...failing("KEYG-01", "another")];
    expect(blamed([...blocked, ...broken])[0]?.unblock).toBe("mend ENV-07 first");
  });

  test("is blamed on the rules that its answer shows broken before any other", () => {
    const shown = failing("AUTH-10", "another").map((finding) => ({ ...finding, exchanges: [refused] }));
    expect(blamed([...blocked, ...failing("KEYC-30", "another"), ...shown])[0]?.unblock).toBe("mend AUTH-10 first");
  });

  test("is blamed on what the same failure breaks elsewhere", () => {
    const elsewhere = { ...refused, number: 9, operation: "getApiKey" };
    const failed = failing("KEYG-01", "another").map((finding) => ({
      ...finding,
      ...{ actual: summaryOf(elsewhere), exchanges: [elsewhere] },
    }));
    expect(blamed([...blocked, ...failed])[0]?.unblock).toBe("mend KEYG-01 first");
    const notFailing = { ...refused, outcome: { ...refused.outcome, status: 404 } } as Exchange;
    const [other] = blocked.map((finding) => ({ ...finding, exchanges: [notFailing] }));
    expect(blamed([...(other ? [other] : []), ...failed])[0]?.unblock).toBe("see its rules");
  });

  test("is told to see a rule only where that is broken", () => {
    const advised = blocked.map((finding) => ({ ...finding, unblock: "see KEYG-01 first", exchanges: [] }));
    expect(blamed([...advised, ...failing("KEYG-01", "another")])[0]?.unblock).toBe("see KEYG-01 first");
    expect(blamed(advised)[0]?.unblock).toBeNull();
  });

  test("keeps its advice where nothing is broken", () => {
    expect(blamed(blocked)).toEqual(blocked);
  });
});

describe("a rule without a finding", () => {
  const plan = { asked: [], checks: [], served: { operation: () => null, rule: () => null, check: () => null } };

  test("that no check lists says where to add it", () => {
    const { verdict, message } = ruleResult("KEYC-05", [], { checks: [check], ran: false }, plan);
    expect({ verdict, message }).toEqual({
      verdict: "blocked",
      message: "no check lists KEYC-05: add it to the rules of one in conformance/checks/ that decides it",
    });
  });

  test("of a check that was left out says that this run has none", () => {
    expect(ruleResult("KEYC-01", [], { checks: [check], ran: true }, plan).message).toBe(
      "no check of this run decides it",
    );
    expect(ruleResult("KEYC-01", [], { checks: [check], ran: false }, plan).message).toBe("nothing was run");
  });
});
