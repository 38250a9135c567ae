import { expect, test } from "vitest";
import type { RunResult } from "../runner/run-result.ts";
import { failureGroups } from "./failure-groups.ts";
import { heldTexts } from "./held-text.ts";
import { exchange, finding, madeUpRun, rule, ruleResult } from "./made-up-run.ts";

const checkOf = (
  id: string,
  operation: RunResult["checks"][number]["operation"] = null,
): RunResult["checks"][number] => ({
  ...{ id, title: `Title of ${id}`, operation, verdict: "pass", durationMs: 1, requests: 1 },
});

function heldBy(...ids: readonly string[]): readonly string[] {
  const found = [
    finding("KEYC-15", "keyc.many", "fail", { expected: "a", actual: "b", exchanges: [exchange(1, 200, "")] }),
    ...[...ids, "keyc.made.createApiKey"].map((id) => finding("KEYC-15", id, "pass")),
  ];
  const checks = [
    checkOf("keyc.many"),
    ...ids.map((id) => checkOf(id)),
    checkOf("keyc.made.createApiKey", "createApiKey"),
  ];
  const result = { ...madeUpRun, checks, rules: [ruleResult("KEYC-15", rule("It is."), "fail", found)] };
  const [group] = failureGroups(result);
  return group === undefined ? [] : heldTexts(result, group);
}

test("checks that found the rule to hold are told, the one that is named most alike", () => {
  expect(heldBy("auth.one", "keyc.man", "keyc.other")).toEqual(["Title of keyc.man"]);
});

test("one that found it broken elsewhere did not find it to hold", () => {
  expect(heldBy("keyc.many")).toEqual([]);
});

test("else what held of the same operation in the same area is told, unless its check found something broken", () => {
  const found = (id: "KEYC-15" | "KEYC-16" | "AUTH-05", check: string, verdict: "pass" | "fail") =>
    finding(
      id,
      check,
      verdict,
      verdict === "pass" ? {} : { expected: "a", actual: "b", exchanges: [exchange(1, 200, "")] },
    );
  const told = (same: "pass" | "fail"): readonly string[] | undefined => {
    const result = {
      ...madeUpRun,
      checks: ["keyc.many", "keyc.near", "keyc.broken", "auth.far", "keyc.same"].map((id) => checkOf(id)),
      rules: [
        ruleResult("KEYC-15", rule("It is."), "fail", [
          ...[found("KEYC-15", "keyc.many", "fail"), found("KEYC-15", "keyc.same", same)],
        ]),
        ruleResult("KEYC-16", rule("It was."), "pass", [
          ...[found("KEYC-16", "keyc.near", "pass"), found("KEYC-16", "keyc.broken", "pass")],
        ]),
        ruleResult("AUTH-05", rule("Others are."), "fail", [
          ...[found("AUTH-05", "auth.far", "pass"), found("AUTH-05", "keyc.broken", "fail")],
        ]),
      ],
    };
    const [group] = failureGroups(result);
    return group && heldTexts(result, group);
  };
  expect(told("pass")).toEqual(["Title of keyc.same"]);
  expect(told("fail")).toEqual(["Title of keyc.near"]);
});

test("beside a check of one operation another one of that operation is told, and none of any other", () => {
  const shown = { expected: "a", actual: "b", exchanges: [exchange(1, 200, "")] };
  const told = (other: "getApiKey" | "rotateApiKey"): readonly string[] => {
    const found = [
      finding("KEYC-15", "keyc.it.getApiKey", "fail", shown),
      ...["keyc.all", "keyc.near.getApiKey"].map((id) => finding("KEYC-15", id, "pass")),
    ];
    const checks = [
      checkOf("keyc.it.getApiKey", "getApiKey"),
      checkOf("keyc.all"),
      checkOf("keyc.near.getApiKey", other),
    ];
    const result = { ...madeUpRun, checks, rules: [ruleResult("KEYC-15", rule("It is."), "fail", found)] };
    return failureGroups(result).flatMap((group) => heldTexts(result, group));
  };
  expect(told("getApiKey")).toEqual(["Title of keyc.near.getApiKey"]);
  expect(told("rotateApiKey")).toEqual([]);
});
