import { describe, expect, it } from "vitest";
import { packApart } from "./pack-apart.ts";
import type { Join, Packable } from "./pack-choices.ts";

const choice = (name: string, ...rules: string[]): Packable => ({ name, rules });
const joinAny: Join<Packable> = (pack, one) => [...pack, one];
const packed = (choices: readonly Packable[], join = joinAny, size = 9): readonly string[][] =>
  packApart(choices, ({ rules }) => rules, join, size).map((pack) => pack.map(({ name }) => name));

describe("packs of choices that keep apart", () => {
  it("hold no two that touch the same, and leave out none", () => {
    const choices = [choice("a", "R1"), choice("b", "R1", "R2"), choice("c", "R2"), choice("d", "R3")];
    expect(packed(choices)).toEqual([
      ["b", "d"],
      ["a", "c"],
    ]);
  });

  it("hold no two that cannot stand together", () => {
    const join: Join<Packable> = (pack, one) => (pack.length > 0 && one.name === "b" ? null : [...pack, one]);
    expect(packed([choice("a", "R1"), choice("b", "R2"), choice("c", "R3")], join)).toEqual([["a", "c"], ["b"]]);
  });

  it("are no larger than asked for", () => {
    expect(packed([choice("a", "R1"), choice("b", "R2"), choice("c", "R3")], joinAny, 2)).toEqual([["a", "b"], ["c"]]);
  });
});
