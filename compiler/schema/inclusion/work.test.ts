import { expect, it } from "vitest";
import { includes } from "../inclusion.ts";
import type { JsonSchema } from "../json-schema.ts";
import { type Clocks, OutOfWork, Work } from "./work.ts";

const taken = (work: Work): number => {
  work.grant();
  let steps = 0;
  while (work.hasStep()) steps += 1;
  return steps;
};

it("gives a comparison its steps, and of what is left of all of them no more than a part", () => {
  const work = new Work({ steps: 1_000, stepsInAll: 24_000, milliseconds: null });
  const first = Array.from({ length: 40 }, () => taken(work));
  expect(first.slice(0, 3)).toEqual([1_000, 1_000, 1_000]);
  expect(first.every((steps, index) => steps <= (first[index - 1] ?? steps))).toBe(true);
  expect(first.at(-1)).toBe(500);
});

it("ends when all comparisons together took twice what they share, and says so", () => {
  const work = new Work({ steps: 1_000, stepsInAll: 2_000, milliseconds: null });
  const steps = Array.from({ length: 10 }, () => taken(work));
  expect(steps).toEqual([...Array(8).fill(500), 0, 0]);
  expect(work.isSpent).toBe(true);
  expect(work.reason).toBe("Not decided within the 4,000 steps of work that all comparisons get together.");
});

it("ends with a reason when the last step is taken", () => {
  const work = new Work({ steps: 2, stepsInAll: 10, milliseconds: null });
  work.grant();
  work.step();
  work.step();
  expect(() => work.step()).toThrow(new OutOfWork("Not decided within 2 steps of work."));
});

/** Clocks that go on by so many milliseconds with each look at them. */
const clocks = (processor: number, wall: number): Clocks => {
  const after = (each: number): (() => number) => {
    let now = 0;
    return () => (now += each);
  };
  return { processor: after(processor), wall: after(wall) };
};
const limited = { steps: 1_000, stepsInAll: 10_000, milliseconds: 100 };

it.each([
  ["of processor time", clocks(150, 150)],
  ["by the clock, where it hardly gets the processor", clocks(1, 1_500)],
])("ends when its time is up %s, and says so", (_, slow) => {
  const work = new Work(limited, slow);
  expect([taken(work), work.endedByTime]).toEqual([0, true]);
  expect(work.reason).toBe("The time limit of 0.1 s of processor time was reached before this was decided.");
});

it("decides the same on a machine that is busy with other things", () => {
  const on = (machine: Clocks): readonly unknown[] => {
    const work = new Work(limited, machine);
    return [taken(work), taken(work), work.endedByTime];
  };
  expect(on(clocks(0.1, 5))).toEqual(on(clocks(0.1, 0.1)));
});

it("counts the processor time of its thread, not what it waits", () => {
  const work = new Work({ ...limited, milliseconds: 50 });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  expect([taken(work), work.endedByTime]).toEqual([833, false]);
  const until = performance.now() + 5_000;
  while (!work.endedByTime && performance.now() < until) taken(work);
  expect(work.endedByTime).toBe(true);
});

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const one = { schema: ref("Text"), components: { Text: { type: "string", maxLength: 9 } } };
const other = { schema: ref("Text"), components: { Text: { type: "string", maxLength: 8 } } };

it("leaves a comparison that takes more than its steps unfinished, the same each time", () => {
  const judged = (steps: number) =>
    includes(one, other, "letter", new Work({ steps, stepsInAll: 500, milliseconds: null }));
  expect(judged(1)).toEqual({ kind: "unknown", why: "Not decided within 1 steps of work.", isUnfinished: true });
  expect(judged(1)).toEqual(judged(1));
  expect(judged(1_000).kind).toBe("not-included");
});

it("doubts what it had no steps for wherever it is met again, without trying it again", () => {
  const tree = (maxLength: number) =>
    Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `Part${index}`,
        {
          type: "object",
          properties: {
            text: { type: "string", pattern: `^(?=x)[a-z]{${maxLength}}$` },
            next: ref(`Part${index + 1}`),
          },
        },
      ]),
    );
  const sides = [8, 9].map((length) => ({ ...tree(length), Part30: { type: "string" } }));
  const [base = {}, head = {}] = sides;
  const work = new Work({ steps: 30, stepsInAll: 360, milliseconds: null });
  const within = (schema: JsonSchema) =>
    includes({ schema, components: base }, { schema, components: head }, "letter", work);
  expect(within(ref("Part0"))).toMatchObject({ kind: "unknown", isUnfinished: true });
  const again = within({ type: "array", items: ref("Part0") });
  expect(again).toMatchObject({ kind: "unknown", isUnfinished: true });
  const among = within({ anyOf: [{ type: "null" }, ref("Part0")] });
  expect(among).toMatchObject({ kind: "unknown", isUnfinished: true });
});

it("keeps what it searched in vain for one pair of documents alone", () => {
  // Of both pairs each claim is the first: what names it in the one names it in the other.
  const undecided = { schema: ref("Text"), components: { Text: { type: "string", pattern: "^(?=x)x$" } } };
  const same = { schema: ref("Text"), components: { Text: { type: "string", pattern: "^(?=x)xx?$" } } };
  const work = new Work({ steps: 1_000, stepsInAll: 100_000, milliseconds: null });
  expect(includes(undecided, same, "letter", work).kind).toBe("unknown");
  expect(includes(one, other, "letter", work).kind).toBe("not-included");
});

it("compares alternatives with those of their tag alone, be they two of one tag", () => {
  const many = 30;
  const alternatives = (changed: JsonSchema): Record<string, JsonSchema> => ({
    Union: { oneOf: Array.from({ length: many }, (_, index) => ref(`One${index}`)) },
    ...Object.fromEntries(
      Array.from({ length: many }, (_, index) => [
        `One${index}`,
        {
          type: "object",
          required: index < 2 ? ["kind", "sub"] : ["kind"],
          properties: {
            kind: { enum: [index === 1 ? "kind0" : `kind${index}`] },
            text: index === 20 ? changed : { type: "string" },
            parts: { type: "array", items: ref("Union") },
            ...(index < 2 ? { sub: { enum: [index] } } : {}),
          },
        },
      ]),
    ),
  });
  const [any, short] = [alternatives({ type: "string" }), alternatives({ type: "string", maxLength: 8 })];
  const within = (one: Record<string, JsonSchema>, whole: Record<string, JsonSchema>) =>
    includes(
      { schema: ref("Union"), components: one },
      { schema: ref("Union"), components: whole },
      "names",
      new Work({ steps: 1_000, stepsInAll: 12_000, milliseconds: null }),
    ).kind;
  expect([within(short, any), within(any, short)]).toEqual(["included", "not-included"]);
});
