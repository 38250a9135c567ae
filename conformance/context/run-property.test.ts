import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RuleId } from "../../generated/rules.ts";
import { Blocked, type Finding } from "../outcome/verdict.ts";
import { newRecorder, type Recorder } from "./recorder.ts";
import { type PropertyOptions, runProperty } from "./run-property.ts";

const one = "KEYC-01";
const other = "KEYC-03";
/** A rule whose breach only warns. */
const mild = "KEYC-27";

interface Search extends Partial<PropertyOptions> {
  readonly arbitrary?: fc.Arbitrary<number>;
}

const numbers = fc.integer({ min: 0, max: 100_000 });

/** Runs a property over numbers; the predicate tells the recorder what it finds. */
async function search(
  predicate: (recorder: Recorder, value: number) => Promise<void>,
  { arbitrary = numbers, ...options }: Search = {},
): Promise<{ readonly findings: readonly Finding[]; readonly error: unknown; readonly tried: readonly number[] }> {
  const recorder = newRecorder({ id: "made-up", rules: [one, other, mild] });
  const tried: number[] = [];
  const error = await runProperty(
    arbitrary,
    async (value) => {
      tried.push(value);
      await predicate(recorder, value);
    },
    { runSeed: 7, seed: 42, path: null, runs: 100, signal: new AbortController().signal, recorder, ...options },
  ).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { findings: recorder.findings(), error, tried };
}

const judge = (recorder: Recorder, rule: RuleId, value: number, holds: boolean): boolean =>
  recorder.verify(rule, holds, { expected: "less", actual: String(value), exchanges: [] });

const failing = (findings: readonly Finding[]): Finding[] => findings.filter((f) => f.verdict === "fail");

const bound = 1_000;
const below = async (recorder: Recorder, value: number): Promise<void> =>
  void judge(recorder, one, value, value < bound);

const mildly = async (recorder: Recorder, value: number): Promise<void> =>
  void judge(recorder, mild, value, value < 10);

describe("a property that a value breaks", () => {
  test("reports the smallest value that it found, with its own evidence and a path that leads to it alone", async () => {
    const { findings, error } = await search(below);
    expect(error).toBeNull();
    const [breach, ...more] = failing(findings);
    expect(more).toEqual([]);
    expect(breach).toMatchObject({
      rule: one,
      actual: String(bound),
      counterexample: { seed: 7, value: String(bound) },
    });
    const again = await search(below, { path: breach?.counterexample?.path ?? "" });
    expect(again.tried).toEqual([bound]);
    expect(again.findings).toEqual([breach]);
  });

  test("looks no further for a smaller value once the time for that is over", async () => {
    const { findings, error, tried } = await search(below, { shrinkFor: -1 });
    expect(error).toBeNull();
    const [breach, ...more] = failing(findings);
    expect(more).toEqual([]);
    expect(breach).toMatchObject({
      rule: one,
      actual: String(tried.at(-1)),
      counterexample: { path: expect.stringMatching(/^\d+$/) },
    });
    const again = await search(below, { path: breach?.counterexample?.path ?? "" });
    expect(again.tried).toEqual([tried.at(-1)]);
  });

  test("counts paths as the library does", async () => {
    const { findings } = await search(below);
    const details = fc.check(
      fc.property(numbers, (value) => value < bound),
      { seed: 42, numRuns: 100 },
    );
    expect(failing(findings)[0]?.counterexample?.path).toBe(details.counterexamplePath);
  });

  const later: readonly (readonly [string, () => Error])[] = [
    ["a refused set-up", () => new Blocked("refused", "nothing", "server")],
    ["a target that is gone", () => new Blocked("gone", "nothing", "environment")],
    ["a fault of the kit", () => new TypeError("undefined is no function")],
    ["a lack of the target", () => new Error("not there")],
  ];

  test.each(later)("is reported though smaller values meet %s", async (_, obstacle) => {
    let broken = 0;
    const { findings, error } = await search(async (recorder, value) => {
      if (broken > 0 && value % 3 !== 0) throw obstacle();
      if (value >= bound) broken += 1;
      await below(recorder, value);
    });
    expect(error).toBeNull();
    const [breach] = failing(findings);
    expect(Number(breach?.actual)).toBeGreaterThanOrEqual(bound);
    expect(breach?.counterexample?.value).toBe(breach?.actual);
    const again = await search(below, { path: breach?.counterexample?.path ?? "" });
    expect(again.tried).toEqual([Number(breach?.actual)]);
  });

  test("is reported whatever the seed, though no smaller value can be decided", async () => {
    for (let seed = 0; seed < 50; seed += 1) {
      let broken = false;
      const { findings } = await search(
        async (recorder, value) => {
          if (broken) throw new Blocked("refused", "nothing", "server");
          broken = value >= bound;
          await below(recorder, value);
        },
        { seed },
      );
      expect(failing(findings)).toHaveLength(1);
    }
  });

  test("is reported when the run is interrupted while values are made smaller, and no more are tried", async () => {
    const stop = new AbortController();
    const { findings, error, tried } = await search(
      async (recorder, value) => {
        if (value >= bound) stop.abort();
        await below(recorder, value);
      },
      { signal: stop.signal },
    );
    expect(error).toBeNull();
    expect(failing(findings)).toHaveLength(1);
    expect(tried.at(-1)).toBe(Number(failing(findings)[0]?.actual));
  });

  test("stops making values smaller once the target is gone", async () => {
    let broken = false;
    const { tried } = await search(async (recorder, value) => {
      if (broken) throw new Blocked("gone", "nothing", "environment");
      broken = value >= bound;
      await below(recorder, value);
    });
    expect(tried.slice(tried.findIndex((value) => value >= bound) + 1)).toHaveLength(1);
  });

  test("is held while values are still made smaller", async () => {
    const held: number[] = [];
    await search(async (recorder, value) => {
      held.push(failing(recorder.findings()).length);
      await below(recorder, value);
    });
    expect(held.at(-1)).toBe(1);
  });

  test("stays a breach of its rule when smaller values break another one, which is told too", async () => {
    const { findings } = await search(async (recorder, value) => {
      judge(recorder, one, value, value < bound);
      judge(recorder, other, value, value === 0 || value >= bound);
    });
    expect(failing(findings).map(({ rule }) => rule)).toEqual([one, other]);
    expect(failing(findings)[0]?.actual).toBe(String(bound));
    for (const finding of failing(findings)) {
      expect(finding.counterexample?.value).toBe(finding.actual);
      const again = await search(async (_, value) => expect(String(value)).toBe(finding.actual), {
        path: finding.counterexample?.path ?? "",
      });
      expect(again.error).toBeNull();
    }
  });

  test("counts even where the predicate swallows it", async () => {
    const { findings } = await search(async (recorder, value) => {
      await below(recorder, value).catch(() => undefined);
    });
    expect(failing(findings)).toMatchObject([{ actual: String(bound) }]);
  });
});

describe("a property that no value breaks", () => {
  test("tries as many values as it is told", async () => {
    const { findings, tried } = await search(async (recorder, value) => void judge(recorder, one, value, true));
    expect(tried).toHaveLength(100);
    expect(findings.map((f) => f.verdict)).toEqual(["pass"]);
  });

  test("ends at the first value that cannot be decided, and says why", async () => {
    const obstacle = new Blocked("refused", "nothing", "server");
    const { error, tried } = await search(async () => {
      throw obstacle;
    });
    expect(error).toBe(obstacle);
    expect(tried).toHaveLength(1);
  });

  test("is blocked by an interruption", async () => {
    const { error, tried } = await search(below, { signal: AbortSignal.abort() });
    expect(error).toMatchObject({ name: "Blocked", origin: "environment" });
    expect(tried).toEqual([]);
  });

  test("goes on after a warning, and tells the value that showed it", async () => {
    const { findings, tried } = await search(mildly);
    // The first of them again, and what is smaller.
    expect(tried.slice(0, 100).filter((value) => value >= 10).length).toBeGreaterThan(50);
    const [warning, ...others] = findings.filter((f) => f.verdict === "warn");
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ rule: mild, actual: "10", counterexample: { value: "10" } });
    const again = await search(mildly, { path: warning?.counterexample?.path ?? "" });
    expect(again.tried).toEqual([10]);
    expect(again.findings).toEqual([warning]);
  });

  test("makes a warning's value smaller in no more tries than it has values, and once it found no breach of its rule", async () => {
    const { findings, tried } = await search(mildly, { runs: 3 });
    expect(tried.length).toBeLessThanOrEqual(3 + 4);
    const [warning] = findings.filter((f) => f.verdict === "warn");
    expect(warning?.counterexample?.value).toBe(warning?.actual);
    const again = await search(mildly, { runs: 3, path: warning?.counterexample?.path ?? "" });
    expect(again.tried).toEqual([Number(warning?.actual)]);
  });

  test("keeps a warning whose smaller values cannot be decided", async () => {
    let warnings = 0;
    const { findings, error } = await search(async (recorder, value) => {
      if (warnings > 1) throw new Blocked("refused", "nothing", "server");
      if (value >= 10) warnings += 1;
      await mildly(recorder, value);
    });
    expect(error).toMatchObject({ message: "refused" });
    const [warning] = findings.filter((f) => f.verdict === "warn");
    expect(warning?.counterexample?.value).toBe(warning?.actual);
  });
});

describe("a path", () => {
  test.each(["0:999999", "999999:0:0", "1:2:3:4:5:6:7:8:9"])("that leads nowhere blocks: %s", async (path) => {
    const { error, tried } = await search(below, { path, arbitrary: fc.constantFrom(1, 2, 3) });
    expect(error).toMatchObject({ name: "Blocked", message: `the path ${path} leads to no value` });
    expect(tried).toEqual([]);
  });
});

describe("commands", () => {
  interface Counter {
    value: number;
  }
  const command = (name: string, by: number): fc.AsyncCommand<Counter, Recorder> => ({
    check: () => true,
    async run(model, recorder) {
      model.value += by;
      judge(recorder, one, model.value, model.value < 3);
    },
    toString: () => name,
  });
  const sequences = fc.array(fc.constantFrom(command("up", 1), command("stay", 0), command("down", -1)), {
    maxLength: 12,
  });
  const runOn = async (path: string | null) => {
    const recorder = newRecorder({ id: "made-up", rules: [one] });
    let runs = 0;
    await runProperty(
      sequences,
      async (sequence) => {
        runs += 1;
        await fc.asyncModelRun(() => ({ model: { value: 0 }, real: recorder }), sequence);
      },
      { runSeed: 7, seed: 42, path, runs: 100, signal: new AbortController().signal, recorder },
    );
    return { findings: recorder.findings(), runs };
  };

  test("are shrunk to those that it takes, read as a list of calls, and are found again by their path", async () => {
    const { findings } = await runOn(null);
    const [breach] = failing(findings);
    expect(breach?.counterexample?.value).toBe("up → up → up");
    const again = await runOn(breach?.counterexample?.path ?? "");
    expect(again.runs).toBe(1);
    expect(failing(again.findings)).toEqual([breach]);
  });
});
