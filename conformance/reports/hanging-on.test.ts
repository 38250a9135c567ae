import { expect, test } from "vitest";
import type { ToldFinding } from "../outcome/verdict.ts";
import { undecidedGroups } from "./failure-groups.ts";
import { exchange, finding, madeUpRun, rule, ruleResult } from "./made-up-run.ts";

/** What is told to do for a rule that was not decided for this, beside what was found. */
function adviceFor(message: string, unblock: string | null, ...more: readonly ReturnType<typeof ruleResult>[]) {
  const blocked = finding("KEYC-16", "keyc.some", "blocked", { message, unblock });
  const rules = [...more, { ...ruleResult("KEYC-16", rule("It was."), "blocked", [blocked]), message }];
  return undecidedGroups({ ...madeUpRun, rules })[0]?.unblock;
}

const broken = (more: Partial<ToldFinding>) =>
  ruleResult("KEYC-15", rule("It is."), "fail", [
    finding("KEYC-15", "keyc.many", "fail", {
      ...{ expected: "a", actual: "422 ODD", exchanges: [exchange(1, 422, "")], ...more },
    }),
  ]);

const odd = { came: { status: 422, code: "ODD", isSuccess: false } };
const holds = ruleResult("KEYC-17", rule("It holds."), "pass", [finding("KEYC-17", "keyc.held", "pass")]);

test("what stood in the way of a rule leads to the one that is broken by it", () => {
  expect(adviceFor("keys were answered 422 ODD", "say how", broken(odd))).toBe("see KEYC-15 first");
  expect(adviceFor("keys were answered 409 OTHER", "say how", broken(odd))).toBe("say how");
});

test("a rule that holds is nothing to see first where something else never came", () => {
  const silence = { isSilence: true };
  expect(adviceFor("no attempt came", "see KEYC-17 first", broken(silence), holds)).toBe("see KEYC-15 first");
  expect(adviceFor("no attempt came", "see KEYC-17 first", broken({}), holds)).toBe("see KEYC-17 first");
  expect(adviceFor("no attempt came", "see KEYC-15 first", broken(silence))).toBe("see KEYC-15 first");
});
