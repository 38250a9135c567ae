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

test("checks that found the rule to hold are told, those that are named most alike first, and how many more", () => {
  expect(heldBy("auth.one", "keyc.man", "keyc.other")).toEqual([
    ...["Title of keyc.man", "Title of keyc.other", "and in 1 more check"],
  ]);
  expect(heldBy("a", "b", "c", "d", "e").at(-1)).toBe("and in 3 more checks");
});

test("one that found it broken elsewhere did not find it to hold", () => {
  expect(heldBy("keyc.many")).toEqual([]);
});
