import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Call, linearize } from "./linearize.ts";

/** A write, or a read of that value. */
interface Step {
  readonly kind: "write" | "read";
  readonly value: number;
}

const callOf = ({ kind, value }: Step, sentAt: number, answeredAt: number): Call<number> => ({
  ...{ sentAt, answeredAt },
  from: (state) => (kind === "write" ? [value] : state === value ? [state] : []),
});
const write = (value: number, sentAt: number, answeredAt: number) =>
  callOf({ kind: "write", value }, sentAt, answeredAt);
const read = (value: number, sentAt: number, answeredAt: number) => callOf({ kind: "read", value }, sentAt, answeredAt);

describe("a history of a register", () => {
  it.each([
    ["nothing", [], []],
    ["a read of what was written before", [write(1, 0, 1), read(1, 2, 3)], [0, 1]],
    ["a read that sees a write beside it", [read(1, 0, 3), write(1, 1, 2)], [1, 0]],
    ["a read that does not see a write beside it", [write(1, 0, 3), read(0, 1, 2)], [1, 0]],
    ["two reads of which the later one sees the write", [write(1, 0, 9), read(0, 1, 2), read(1, 3, 4)], [1, 0, 2]],
    ["calls that touch, in either order", [write(1, 0, 1), read(0, 1, 2)], [1, 0]],
    ["a read that sees a write without an answer", [write(1, 0, Number.POSITIVE_INFINITY), read(1, 5, 6)], [0, 1]],
  ])("holds with %s", (_what, calls, order) => {
    expect(linearize(calls, 0)).toEqual(order);
  });

  it.each([
    ["a read that misses a write before it", [write(1, 0, 1), read(0, 2, 3)]],
    ["a read of what was never written", [write(1, 0, 9), read(2, 1, 2)]],
    ["a value that comes back", [write(1, 0, 9), read(1, 1, 2), read(0, 3, 4)]],
    [
      "two reads that see two writes in two orders",
      [...[write(1, 0, 9), write(2, 0, 9)], ...[read(1, 1, 2), read(2, 3, 4), read(1, 5, 6)]],
    ],
  ])("breaks with %s", (_what, calls) => {
    expect(linearize(calls, 0)).toBeNull();
  });

  it("holds where a lost call did or did not take effect", () => {
    const lost: Call<number> = { sentAt: 0, answeredAt: Number.POSITIVE_INFINITY, from: (state) => [state, 7] };
    expect(linearize([lost, read(0, 1, 2), read(7, 3, 4)], 0)).toEqual([1, 0, 2]);
    expect(linearize([lost, read(0, 1, 2)], 0)).not.toBeNull();
  });
});

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("write" as const, "read" as const),
  value: fc.nat({ max: 2 }),
});

it("holds for whatever was done one after the other, however long each call took", () => {
  const part = fc.tuple(step, fc.nat({ max: 30 }), fc.nat({ max: 30 }), fc.nat());
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      let state = 0;
      const calls = parts.map(([{ kind, value }, before, after], at) => {
        if (kind === "write") state = value;
        return callOf({ kind, value: state }, 10 * at - before, 10 * at + after);
      });
      // In whatever order they are told.
      const told = calls.toSorted((one, other) => one.answeredAt - other.answeredAt);
      expect(linearize(told, 0)).not.toBeNull();
    }),
  );
});

it("finds an order where one of all orders holds, and none where none does", () => {
  const part = fc.tuple(step, fc.nat({ max: 12 }), fc.nat({ max: 6 }));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      const calls = parts.map(([one, sentAt, took]) => callOf(one, sentAt, sentAt + took));
      const holds = ordersOf([...calls.keys()]).some((order) => isSound(calls, order));
      const found = linearize(calls, 0);
      expect(found !== null).toBe(holds);
      if (found !== null) expect(isSound(calls, found)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

/** Every order of these places. */
const ordersOf = (places: readonly number[]): readonly (readonly number[])[] =>
  places.length === 0
    ? [[]]
    : places.flatMap((first) => ordersOf(places.filter((one) => one !== first)).map((rest) => [first, ...rest]));

/** Whether calls in that order keep time and state, by the definition. */
function isSound(calls: readonly Call<number>[], order: readonly number[]): boolean {
  const inOrder = order.flatMap((place) => calls[place] ?? []);
  const keepsTime = inOrder.every((call, at) => inOrder.slice(at).every((later) => !(later.answeredAt < call.sentAt)));
  let states: readonly number[] = [0];
  for (const call of inOrder) states = states.flatMap(call.from);
  return keepsTime && states.length > 0;
}
