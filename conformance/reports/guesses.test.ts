import { expect, test } from "vitest";
import { rules } from "../../generated/rules.ts";
import { causesOf } from "./causes.ts";
import { cleanRun, exchange, finding, ruleResult } from "./made-up-run.ts";

/** What a cause says is likely of one call that breaks two rules, of which the second may come with a guess. */
function likelyOf(...guesses: readonly string[]): readonly string[] {
  const by = { ...exchange(1, 402, "{}"), operation: "createLookup" };
  const seen = (["LKP-09", "LKP-06"] as const).map((id, index) =>
    ruleResult(id, rules[id], "fail", [
      finding(id, `lookups.check-${index}`, "fail", {
        ...{ expected: "2xx success", actual: "402 X", exchanges: [by] },
        likely: guesses
          .slice(index, index + 1)
          .map((says) => ({ probe: `probe-${index}`, says }))
          .filter(({ says }) => says !== ""),
      }),
    ]),
  );
  const [cause, ...others] = causesOf({ ...cleanRun, rules: seen });
  expect(others).toEqual([]);
  return (cause?.primary.likely ?? []).map(({ says }) => says).sort();
}

test("a cause says what is likely as what leads it does, or else as another of it does, and where", () => {
  expect(likelyOf("", "")).toEqual([]);
  const [own = ""] = likelyOf("one", "two");
  expect(["one", "two"]).toContain(own);
  const [lent = ""] = likelyOf(own === "one" ? "" : "one", own === "one" ? "two" : "");
  expect(lent).toMatch(/^(one|two) \(as LKP-0[69] shows in lookups\.check-[01]\)$/);
});
