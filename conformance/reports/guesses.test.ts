import { expect, test } from "vitest";
import { rules } from "../../generated/rules.ts";
import { causesOf } from "./causes.ts";
import { cleanRun, exchange, finding, ruleResult } from "./made-up-run.ts";

type Told = Partial<Parameters<typeof finding>[3]>;

/** What leads the cause of one call that breaks two rules, of which each finding is told with something more. */
function primaryOf(...more: readonly Told[]) {
  const by = { ...exchange(1, 402, "{}"), operation: "createLookup" };
  const seen = (["LKP-09", "LKP-06"] as const).map((id, index) =>
    ruleResult(id, rules[id], "fail", [
      finding(id, `lookups.check-${index}`, "fail", {
        ...{ expected: "2xx success", actual: "402 X", exchanges: [by] },
        ...more[index],
      }),
    ]),
  );
  const [cause, ...others] = causesOf({ ...cleanRun, rules: seen });
  expect(others).toEqual([]);
  if (cause === undefined) throw new Error("no cause");
  return cause.primary;
}

const guessed = (...guesses: readonly string[]): readonly string[] =>
  primaryOf(...guesses.map((says) => ({ likely: says === "" ? [] : [{ probe: "probe", says }] })))
    .likely.map(({ says }) => says)
    .sort();

test("a cause says what is likely as what leads it does, or else as another of it does, and where", () => {
  expect(guessed("", "")).toEqual([]);
  const [own = ""] = guessed("one", "two");
  expect(["one", "two"]).toContain(own);
  const [lent = ""] = guessed(own === "one" ? "" : "one", own === "one" ? "two" : "");
  expect(lent).toMatch(/^(one|two) \(as LKP-0[69] shows in lookups\.check-[01]\)$/);
});

test("a cause says what sets its calls apart as what leads it does, or else as another of it does, and where", () => {
  const apartOf = (...texts: readonly (string | null)[]): string | null =>
    primaryOf(...texts.map((apart) => ({ tally: { failed: 2, of: 5, apart, rows: [], steps: [], held: [] } }))).apart;
  expect(apartOf(null, null)).toBeNull();
  const says = (number: number) => `all that failed (2, in steps ${number}, 7) had it; none of the others did`;
  const own = apartOf(says(3), says(4));
  expect([says(3), says(4)]).toContain(own);
  // The steps are those of another story.
  expect(own === says(3) ? apartOf(null, says(4)) : apartOf(says(3), null)).toMatch(
    /^all that failed \(2\) had it; none of the others did \(as LKP-0[69] shows in lookups\.check-[01]\)$/,
  );
});
