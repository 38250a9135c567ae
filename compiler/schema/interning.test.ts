import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import { Interning } from "./interning.ts";

describe("numbers for JSON values", () => {
  it("are equal where the canonical texts are, and only there", () => {
    const json = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(fc.array(json, { minLength: 2, maxLength: 8 }), (values) => {
        const interning = new Interning();
        for (const one of values) {
          for (const other of values) {
            const isOne = interning.numberOf(one as never) === interning.numberOf(other as never);
            expect(isOne).toBe(canonicalJson(one as never) === canonicalJson(other as never));
          }
        }
      }),
    );
  });

  it("leave the order of members out of account, and the sign of zero", () => {
    const interning = new Interning();
    expect(interning.numberOf({ a: [1, -0], b: {} })).toBe(interning.numberOf({ b: {}, a: [1, 0] }));
    expect(interning.numberOf("1")).not.toBe(interning.numberOf(1));
    expect(interning.numberOf("#0")).not.toBe(interning.numberOf([]));
  });
});
