import { describe, expect, test } from "vitest";
import { operations } from "../../generated/operations.ts";
import type { RuleId } from "../../generated/rules.ts";
import { rules } from "../../generated/rules.ts";
import { monitorId } from "../monitor/monitor.ts";
import type { ToldFinding, Verdict } from "../outcome/verdict.ts";
import type { BaselineEntry } from "./baseline.ts";
import { worstOf } from "./conclude.ts";
import { judgeBaseline } from "./judge-baseline.ts";
import type { RuleResult } from "./run-result.ts";

const id: RuleId = "KEYC-15";
const apart: RuleId = "TEN-01";
const create = operations.createApiKey.id;
const read = operations.getApiKey.id;
const checks = [
  { id: "k.one", rules: [id, apart] },
  { id: "k.two", rules: [id] },
  { id: `k.each.${create}`, rules: [id], operation: create },
  { id: `k.each.${read}`, rules: [id], operation: read },
] as const;

const finding = (rule: RuleId, check: string, verdict: Verdict): ToldFinding => ({
  ...{ rule, check, verdict, message: verdict === "blocked" ? "no key" : "", expected: null, actual: null },
  ...{
    exchanges: [],
    deliveries: [],
    at: [],
    unblock: null,
    origin: null,
    question: null,
    counterexample: null,
    told: null,
    tally: null,
    likely: [],
    askedAgain: [],
  },
});

/** A rule of which each check found what is given; the others passed. */
function found(verdicts: Readonly<Record<string, Verdict | null>>, rule: RuleId = id): RuleResult {
  const own = checks.filter((check) => check.rules.some((other) => other === rule)).map((check) => check.id);
  const all = { ...Object.fromEntries(own.map((check) => [check, "pass" as const])), ...verdicts };
  const findings = Object.entries(all).flatMap(([check, verdict]) =>
    verdict === null ? [] : [finding(rule, check, verdict)],
  );
  const verdict = worstOf(findings.map((f) => f.verdict));
  return { id: rule, rule: rules[rule], verdict, message: "", coverage: null, findings };
}

const entry: BaselineEntry = {
  ...{ rule: id, checks: [], operations: [], reason: "r", owner: "o", expires: "2026-02-10", where: "b.yaml:2:5" },
};

const judged = (more: Partial<BaselineEntry>, result: RuleResult | null, only: readonly string[] = []) =>
  judgeBaseline(
    { file: "b.yaml", entries: [{ ...entry, ...more }] },
    {
      result: {
        rules: result === null ? [] : [result],
        startedAt: "2026-02-04T23:59:00Z",
        only,
        skip: [],
        profile: "full",
      },
      checks,
    },
  );

describe("an entry is known", () => {
  test("while its rule is broken, until the end of its last day", () => {
    const { known, rules: green } = judged({}, found({ "k.one": "fail" }));
    expect(known).toMatchObject([{ daysLeft: 6, possibleLeak: false }]);
    expect(green).toEqual([id]);
    expect(judged({ expires: "2026-02-04" }, found({ "k.one": "fail" })).known).toMatchObject([{ daysLeft: 0 }]);
  });

  test("for its checks and operations alone: what breaks elsewhere is new", () => {
    const both = found({ "k.one": "fail", [`k.each.${create}`]: "fail" });
    expect(judged({ checks: ["k.one"] }, both)).toMatchObject({ known: [{}], rules: [] });
    expect(judged({ operations: [create] }, both)).toMatchObject({ known: [{}], rules: [] });
    expect(judged({ checks: ["k.one", `k.each.${create}`] }, both).rules).toEqual([id]);
    expect(judged({ operations: [create] }, found({ [`k.each.${create}`]: "fail" })).rules).toEqual([id]);
  });

  test("with a word that it may be a leak, where its rule keeps organizations apart", () => {
    expect(judged({ rule: apart }, found({ "k.one": "fail" }, apart)).known).toMatchObject([{ possibleLeak: true }]);
  });
});

describe("an entry is stale", () => {
  test.each([
    ["whose rule is kept", {}, found({}), "The rule is kept now."],
    ["whose checks pass", { checks: ["k.two"] }, found({ "k.one": "fail" }), "The rule is kept now."],
    [
      "whose operation passes",
      { operations: [read] },
      found({ [`k.each.${create}`]: "fail" }),
      "The rule is kept now.",
    ],
    ["that has ended", { expires: "2026-02-03" }, found({ "k.one": "fail" }), "It ended on 2026-02-03."],
    ["that has ended, undecided", { expires: "2026-02-03" }, found({ "k.one": "blocked" }), "It ended on 2026-02-03."],
    ["of an unknown rule", { rule: "KEYC-155" }, found({}), "KEYC-155 is no rule of the contract."],
    ["of an unknown check", { checks: ["k.on"] }, found({}), "k.on is no check that decides KEYC-15."],
    ["of an unknown operation", { operations: ["createKey"] }, found({}), "createKey is no operation."],
  ] as const)("%s", (_, more, result, why) => {
    const { known, stale, untried, rules: green } = judged(more, result);
    expect([known, untried, green]).toEqual([[], [], []]);
    expect(stale).toMatchObject([{ where: "b.yaml:2:5", fix: expect.stringMatching(/\.$/) }]);
    expect(stale[0]?.why).toContain(why);
  });
});

describe("an entry of which the run cannot tell fails nothing", () => {
  test.each([
    ["its rule is not in the run", {}, null, "k.one was not run", []],
    ["a check that might see it is blocked", {}, found({ "k.two": "blocked" }), "k.two: no key", []],
    ["a check that might see it was not run", {}, found({ "k.two": null }), "k.two was not run", []],
    [
      "its own check was not run",
      { checks: ["k.two"] },
      found({ "k.two": null, "k.one": "fail" }),
      "k.two was not",
      [],
    ],
    ["no answer of the run was looked at", { checks: [monitorId] }, found({}), "nothing of this run decides it", []],
    ["filters kept answers away", {}, found({ [monitorId]: "pass" }), "only a full run without filters", ["k.one"]],
  ] as const)("%s", (_, more, result, why, only) => {
    const { known, stale, untried } = judged(more, result, only);
    expect([known, stale]).toEqual([[], []]);
    expect(untried[0]?.why).toContain(why);
  });
});
