import { expect, test } from "vitest";
import type { ToldFinding } from "../outcome/verdict.ts";
import type { ToldStep } from "../story/step.ts";
import { causesOf } from "./causes.ts";
import { isAdmittedAlike, isAfterSameRefusal } from "./deviation.ts";
import { failureGroups } from "./failure-groups.ts";
import { exchange, finding, madeUpRun, rule, ruleResult } from "./made-up-run.ts";
import { nearestTo, refusedForSameHeader, sightOf, warnsOfSame } from "./sight.ts";

const step: ToldStep = {
  ...{ through: "api", what: null, exchange: null, seconds: null, at: 1, gives: [] },
  ...{ request: null, outcome: null },
};

/** A refusal that came behind so many steps. */
const refused = (id: ToldFinding["rule"], check: string, steps: number, more: Partial<ToldFinding> = {}) =>
  ruleResult(id, rule(id), "fail", [
    finding(id, check, "fail", {
      ...{ expected: `what ${id} says`, actual: "402", exchanges: [exchange(steps, 402, "")] },
      came: { status: 402, code: "POOR", isSuccess: false },
      told: { omitted: 0, steps: Array.from({ length: steps }, () => step) },
      ...more,
    }),
  ]);

const nearestOf = (...rules: readonly ReturnType<typeof refused>[]): string | undefined => {
  const sights = failureGroups({ ...madeUpRun, rules }).map(sightOf);
  const [first] = sights;
  return first && nearestTo(first, sights).group.rules[0]?.id;
};

test("of what one check saw refused alike, what it saw first is nearest", () => {
  expect(nearestOf(refused("KEYC-15", "a", 9), refused("KEYC-16", "a", 4), refused("KEYC-17", "a", 6))).toBe("KEYC-16");
});

test("of what one answer shows, the rule of the refusal that came leads", () => {
  const poor = { came: { status: 402, code: "BELOW_MINIMUM_CREDIT", isSuccess: false } } as const;
  const [one, other] = [refused("KEYC-15", "a", 4, poor), refused("KEYC-16", "a", 4, poor)];
  expect(nearestOf(one, { ...other, rule: { ...other.rule, about: "BelowMinimumCredit" } })).toBe("KEYC-16");
  expect(nearestOf(one, other)).toBe("KEYC-15");
});

test("what another check saw, or another answer, is not looked at", () => {
  expect(nearestOf(refused("KEYC-15", "a", 9), refused("KEYC-16", "b", 4))).toBe("KEYC-15");
  const other = { came: { status: 409, code: "OTHER", isSuccess: false } } as const;
  expect(nearestOf(refused("KEYC-15", "a", 9), refused("KEYC-16", "a", 4, other))).toBe("KEYC-15");
});

/** A send that was served, in place of what is said. */
const served = (id: ToldFinding["rule"], verdict: "fail" | "warn", expected: string) =>
  ruleResult(id, rule(id), verdict, [
    finding(id, `check of ${id}`, verdict, {
      ...{ expected, actual: "202 success", exchanges: [exchange(1, 202, "")] },
      came: { status: 202, code: null, isSuccess: true },
    }),
  ]);

test("a warning of what an operation served is of the same as a violation there, by rules of one area", () => {
  const [fails, warns, far] = failureGroups({
    ...madeUpRun,
    rules: [
      ...[served("CON-04", "fail", "a refusal after STOP"), served("CON-27", "warn", "one who was erased")],
      served("KEYC-15", "fail", "another refusal"),
    ],
  }).map(sightOf);
  if (fails === undefined || warns === undefined || far === undefined) throw new Error("no groups");
  expect(warnsOfSame(warns, fails)).toBe(true);
  expect(warnsOfSame(fails, warns)).toBe(false);
  expect(warnsOfSame(warns, far)).toBe(false);
});

test("the steps of a ladder admit the same, whatever their figures", () => {
  const [one, other, third] = failureGroups({
    ...madeUpRun,
    rules: [
      ...[
        served("LIM-01", "fail", "send 2 refused for the limit"),
        served("LIM-03", "fail", "send 6 refused for the limit"),
      ],
      served("LIM-04", "fail", "read 6 refused for the limit"),
    ],
  }).map((group) => sightOf(group).deviations[0]);
  if (one === undefined || other === undefined || third === undefined) throw new Error("no deviations");
  expect(isAdmittedAlike(one, other)).toBe(true);
  expect(isAdmittedAlike(other, third)).toBe(false);
});

test("what one refusal of an operation left behind is one, whatever is said of it", () => {
  const left = (id: ToldFinding["rule"], expected: string, code: string) =>
    ruleResult(id, rule(id), "fail", [
      finding(id, `check of ${id}`, "fail", {
        ...{ expected, actual: "less", exchanges: [exchange(1, 502, JSON.stringify({ error: { code } }))] },
      }),
    ]);
  const [one, other, third] = failureGroups({
    ...madeUpRun,
    rules: [
      ...[left("LKP-08", "the wallet as before", "FAILED"), left("LKP-10", "nothing charged", "FAILED")],
      left("LKP-01", "nothing charged", "OTHER"),
    ],
  }).map((group) => sightOf(group).deviations[0]);
  if (one === undefined || other === undefined || third === undefined) throw new Error("no deviations");
  expect(isAfterSameRefusal(one, other)).toBe(true);
  expect(isAfterSameRefusal(other, third)).toBe(false);
});

test("what two operations refuse for one header is of the same, unless it was to be refused", () => {
  const of = (id: ToldFinding["rule"], name: string, admits: ToldFinding["admits"] = ["success"]) => {
    const call = exchange(3, 422, JSON.stringify({ error: { details: { [name]: "used before" } } }));
    const request = { ...call.request, headers: { "X-Kept-Under": "a" } };
    const came = { status: 422, code: "INVALID", isSuccess: false };
    const [group] = failureGroups({
      ...madeUpRun,
      rules: [refused(id, `check of ${id}`, 3, { admits, came, exchanges: [{ ...call, request }] })],
    });
    if (group === undefined) throw new Error("nothing was found");
    return sightOf(group);
  };
  expect(refusedForSameHeader(of("KEYC-15", "x-kept-under"), of("KEYC-16", "/X-Kept-Under", []))).toBe(true);
  expect(refusedForSameHeader(of("KEYC-15", "x-kept-under"), of("KEYC-16", "/label"))).toBe(false);
  expect(refusedForSameHeader(of("KEYC-15", "x-kept-under"), of("KEYC-16", "x-kept-under", ["NotFound"]))).toBe(false);
});

test("that a limit is counted for each caller explains what is served beyond it, and leads", () => {
  const served = { expected: "a refusal", actual: "201 success", came: { status: 201, code: null, isSuccess: true } };
  const beyond = (admits: ToldFinding["admits"]) =>
    refused("KEYC-32", "limits.a", 2, { ...served, ...(admits === undefined ? {} : { admits }) });
  const shared = refused("TEN-17", "limits.b", 9, {
    ...{ expected: "two keys together", actual: "each by itself", likely: [{ probe: "own-allowance", says: "so" }] },
  });
  const { came: _, ...words } = shared.findings[0] ?? finding("TEN-17", "limits.b", "fail");
  const leadOf = (...rules: readonly ReturnType<typeof refused>[]): readonly (readonly string[])[] =>
    causesOf({ ...madeUpRun, rules }).map((cause) => cause.rules.map(({ id }) => id));
  const counted = { ...shared, findings: [words] };
  expect(leadOf(beyond(["RateLimited"]), counted)).toEqual([["TEN-17", "KEYC-32"]]);
  expect(leadOf(beyond(["Forbidden"]), counted)).toHaveLength(2);
});
