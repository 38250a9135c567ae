import { describe, expect, it } from "vitest";
import { packApart } from "./pack-apart.ts";
import type { Join } from "./pack-choices.ts";

interface Choice {
  readonly name: string;
  readonly rules: readonly string[];
}

const choice = (name: string, ...rules: string[]): Choice => ({ name, rules });
const joinAny: Join<Choice> = (pack, one) => [...pack, one];
const packed = (choices: readonly Choice[], join = joinAny, size = 9): readonly string[][] =>
  packApart(choices, ({ rules }) => rules, join, size).map((pack) => pack.map(({ name }) => name));

describe("packs of choices that keep apart", () => {
  it("hold no two that touch the same, and leave out none", () => {
    const choices = [choice("a", "R1"), choice("b", "R1", "R2"), choice("c", "R2"), choice("d", "R3")];
    expect(packed(choices)).toEqual([["a", "c", "d"], ["b"]]);
  });

  it("hold no two that cannot stand together", () => {
    const join: Join<Choice> = (pack, one) => (pack.length > 0 && one.name === "b" ? null : [...pack, one]);
    expect(packed([choice("a", "R1"), choice("b", "R2"), choice("c", "R3")], join)).toEqual([["a", "c"], ["b"]]);
  });

  it("are no larger than asked for", () => {
    expect(packed([choice("a", "R1"), choice("b", "R2"), choice("c", "R3")], joinAny, 2)).toEqual([["a", "b"], ["c"]]);
  });
});
