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
    primaryOf(
      ...texts.map((apart) => ({
        tally: { what: "calls" as const, failed: 2, of: 5, apart, rows: [], steps: [], held: [] },
      })),
    ).apart;
  expect(apartOf(null, null)).toBeNull();
  const says = (number: number) => `all that failed (2, in steps ${number}, 7) had it; none of the others did`;
  const own = apartOf(says(3), says(4));
  expect([says(3), says(4)]).toContain(own);
  // The steps are those of another story.
  expect(own === says(3) ? apartOf(null, says(4)) : apartOf(says(3), null)).toMatch(
    /^all that failed \(2\) had it; none of the others did \(as LKP-0[69] shows in lookups\.check-[01]\)$/,
  );
});

test("what sets a few calls apart is lent to none of which many more failed", () => {
  const says = "all that failed (1) had it; none of the others did";
  const apartOf = (many: number, few: number): string | null =>
    primaryOf(
      ...[many, few].map((failed) => ({
        tally: {
          what: "calls" as const,
          failed,
          of: 40,
          apart: failed === 1 ? says : null,
          rows: [],
          steps: [],
          held: [],
        },
      })),
    ).apart;
  expect([apartOf(13, 1), apartOf(1, 13)]).toContain(null);
  expect([apartOf(3, 1), apartOf(1, 3)].every((apart) => apart?.startsWith(says))).toBe(true);
});

test("what a cause's words say by themselves is told by no other calls", () => {
  const tally = { what: "calls" as const, failed: 1, of: 3, apart: "all that failed (1) had it", steps: [], held: [] };
  const rows = [
    { holds: false, says: "with it → 200", times: 1 },
    { holds: true, says: "without it → 404", times: 2 },
  ];
  const toldOf = (isNarrowed: boolean) => {
    const { apart, alike } = primaryOf(...[1, 2].map(() => ({ tally: { ...tally, rows }, isNarrowed })));
    return { apart, alike };
  };
  expect(toldOf(false)).toEqual({ apart: tally.apart, alike: rows });
  expect(toldOf(true)).toEqual({ apart: null, alike: [] });
});

test("a cause tells what came otherwise when another of its calls was made again, and nothing twice", () => {
  const again = (...texts: readonly (readonly string[])[]): readonly string[] =>
    primaryOf(...texts.map((askedAgain) => ({ askedAgain }))).askedAgain;
  const [same, later] = ["402 X as well: the same call", "an hour later: 200 success, as was to come"];
  const told = again([same], [same, later]);
  expect(told[0]).toBe(same);
  expect(told.slice(1)).toHaveLength(1);
  expect(told[1]).toMatch(
    /^an hour later: 200 success, as was to come( \(as LKP-0[69] shows in lookups\.check-[01]\))?$/,
  );
  expect(again([], [later])[0]).toContain(later);
});

test("a cause whose own calls all failed shows those like another of its calls, of which some held", () => {
  const rows = (...marks: readonly boolean[]): Told => ({
    tally: {
      ...{ what: "calls" as const, failed: 1, of: 2, apart: null, steps: [], held: [] },
      rows: marks.map((holds) => ({ holds, says: `size ${holds ? 1 : 2}`, times: 1 })),
    },
  });
  for (const more of [
    [rows(false, true), rows(false)],
    [rows(false), rows(false, true)],
    [rows(), rows(false, true)],
  ])
    expect(primaryOf(...more).alike.map(({ holds }) => holds)).toEqual([false, true]);
});

test("a guess that leaves several readings gives way to one of the same kind that leaves one", () => {
  const open = { likely: [{ probe: "clock", says: "one or another", readings: 2 }] };
  const exact = { likely: [{ probe: "clock", says: "another" }] };
  const [told] = [primaryOf(open, exact), primaryOf(exact, open)].flatMap(({ likely }) =>
    likely.map(({ says }) => says),
  );
  expect(told).toMatch(/^another( \(as|$)/);
  const [other] = primaryOf(open, { likely: [{ probe: "other", says: "something else" }] }).likely;
  expect(["one or another", "something else"]).toContain(other?.says);
});

test("a cause is lent what came when another of its calls was made again, and nothing that tells it apart where it is known", () => {
  const texts = ["200 success as well: the same call"];
  const again = primaryOf({ askedAgain: [] }, { askedAgain: texts }).askedAgain[0];
  expect(again).toMatch(/^200 success as well: the same call( \(as LKP-0[69] shows in lookups\.check-[01]\))?$/);
  const tally = {
    what: "calls" as const,
    failed: 2,
    of: 5,
    apart: "all that failed had it",
    rows: [],
    steps: [],
    held: [],
  };
  const likely = [{ probe: "probe", says: "it is so" }];
  expect([primaryOf({ likely }, { tally }).apart, primaryOf({ tally }, { likely }).apart]).toContain(null);
});

test("a cause tells the fewest calls after which a property saw the same rule broken, where what leads it has none", () => {
  const by = { ...exchange(1, 200, "{}"), operation: "createLookup" };
  const counterexampleOf = (...values: readonly (string | null)[]): string | null => {
    const findings = values.map((value, index) =>
      finding("LKP-09", `lookups.check-${index}`, "fail", {
        ...{ expected: `${index}`, actual: "200", exchanges: [by] },
        counterexample: value === null ? null : { seed: 1, path: "0", value },
      }),
    );
    const [cause] = causesOf({ ...cleanRun, rules: [ruleResult("LKP-09", rules["LKP-09"], "fail", findings)] });
    return cause?.primary.counterexample ?? null;
  };
  expect(counterexampleOf(null, null)).toBeNull();
  expect(counterexampleOf('{"number":"+1"}', "emit(0) → rotate(0)")).toBe('{"number":"+1"}');
  expect(counterexampleOf(null, "a() → b() → c()", "emit(0) → rotate(0)")).toBe(
    "emit(0) → rotate(0) (as LKP-09 shows in lookups.check-2)",
  );
  // A value of another finding's call says nothing of this one.
  expect(counterexampleOf(null, '{"number":"+1"}')).toBeNull();
});
