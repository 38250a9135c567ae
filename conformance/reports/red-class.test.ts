import { describe, expect, test } from "vitest";
import { rules } from "../../generated/rules.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { RuleResult } from "../runner/run-result.ts";
import { classTexts, warningReasons } from "./class-text.ts";
import { madeUpRun } from "./made-up-run.ts";
import { openQuestions } from "./open-questions.ts";
import { redClassOf } from "./red-class.ts";

const of = (verdict: RuleResult["verdict"]): RuleResult => {
  const found = madeUpRun.rules.find((r) => r.verdict === verdict);
  if (found === undefined) throw new Error(`The made-up run has no ${verdict}.`);
  return found;
};

/** A warning, by findings that each hang on a question or on none. */
const warned = (...questions: readonly (string | null)[]): RuleResult => {
  const result = of("warn");
  return { ...result, findings: questions.flatMap((question) => result.findings.map((f) => ({ ...f, question }))) };
};

const blockedBy = (block: Blocked): RuleResult => {
  const result = of("blocked");
  const { message, unblock, origin } = block;
  return { ...result, message, findings: result.findings.map((f) => ({ ...f, message, unblock, origin })) };
};

describe("the class of a red", () => {
  test("a breach is the server's, whatever the rule leans on", () => {
    const breach = of("fail");
    expect(redClassOf(breach)).toBe("server");
    expect(redClassOf({ ...breach, rule: { ...breach.rule, questions: ["Q14"] } })).toBe("server");
  });

  test("a warning is an open question's where another reading would have spared all of it, else the server's", () => {
    expect(redClassOf(warned("Q14"))).toBe("open question");
    expect(redClassOf(warned("Q14", "Q6"))).toBe("open question");
    expect(redClassOf(warned("Q14", null))).toBe("server");
    expect(redClassOf(warned(null))).toBe("server");
  });

  test("a block tells where it comes from", () => {
    expect(redClassOf(blockedBy(new Blocked("no second organization", "give one")))).toBe("target file");
    expect(redClassOf(blockedBy(new Blocked("no answer", "look", "environment")))).toBe("environment");
    expect(redClassOf(blockedBy(new Blocked("a sound creation was refused", "look", "server")))).toBe("server");
  });

  test("a fault of the kit is the kit's, and what is green has no class", () => {
    expect(redClassOf(of("kit_error"))).toBe("kit");
    for (const verdict of ["pass", "observed", "not_applicable"] as const) expect(redClassOf(of(verdict))).toBeNull();
  });

  test("a rule that nothing was run for is blocked by nothing", () => {
    expect(redClassOf({ ...of("blocked"), message: "nothing was run", findings: [] })).toBeNull();
  });
});

describe("what is said of a class", () => {
  test("an open question is named with what it asks and what is tolerated, once for all rules", () => {
    const [question] = openQuestions(["Q14"]);
    const texts = classTexts([warned("Q14"), warned(null), warned("Q14")]);
    expect(texts).toEqual([
      `server, unless the document is read otherwise: open question Q14: ${question?.asks} Tolerated: ${question?.tolerates}`,
      "server",
    ]);
  });

  test("a warning says why it is no violation where the rule goes beyond the document, unless a question excuses it", () => {
    const assumed = (result: RuleResult, why: string | null = "It is usual."): RuleResult => ({
      ...result,
      rule: { ...result.rule, basis: "assumed", why },
    });
    const reasons = (...results: readonly RuleResult[]) => warningReasons(results);
    expect(reasons(assumed(warned(null)), assumed(warned(null)))).toEqual(["It is usual."]);
    expect(reasons(assumed(warned("Q14")), assumed(warned(null), null))).toEqual([]);
    expect(reasons({ ...warned(null), rule: { ...warned(null).rule, basis: "explicit" } })).toEqual([]);
  });

  test("every question that a rule leans on is one of the contract, and says what is tolerated", () => {
    const ids = [...new Set(Object.values(rules).flatMap((rule) => rule.questions))];
    expect(ids.length).toBeGreaterThan(5);
    expect(openQuestions(ids).map(({ id }) => id)).toEqual(ids);
    for (const { tolerates } of openQuestions(ids)) expect(tolerates).not.toBe("");
  });
});
