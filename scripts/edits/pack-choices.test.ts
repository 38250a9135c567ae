import { describe, expect, it } from "vitest";
import { type Join, packChoices } from "./pack-choices.ts";

interface Choice {
  readonly name: string;
  readonly rules: readonly string[];
}

const choice = (name: string, ...rules: string[]): Choice => ({ name, rules });
const packed = (choices: readonly Choice[], join: Join<Choice>, size: number): readonly string[][] =>
  packChoices(choices, ({ rules }) => rules, join, size).map((pack) => pack.map(({ name }) => name));

/** Joins all but the pairs named like "a b", which it keeps apart. */
const joinBut =
  (...apart: readonly string[]): Join<Choice> =>
  (pack, one) =>
    pack.some((other) => apart.includes(`${other.name} ${one.name}`) || apart.includes(`${one.name} ${other.name}`))
      ? null
      : [...pack, one];

describe("packs of choices", () => {
  it("are one where all stand together", () => {
    const choices = [choice("a", "R1"), choice("b", "R1", "R2"), choice("c", "R2")];
    expect(packed(choices, joinBut(), 9)).toEqual([["b", "a", "c"]]);
  });

  it("keep apart what cannot stand together, and leave out no choice that meets another", () => {
    const packs = packed([choice("a", "R1"), choice("b", "R1"), choice("c", "R1")], joinBut("a b"), 9);
    expect(packs.some((pack) => pack.includes("a") && pack.includes("b"))).toBe(false);
    expect(new Set(packs.flat())).toEqual(new Set(["a", "b", "c"]));
  });

  it("leave out who meets nobody", () => {
    const choices = [choice("a", "R1"), choice("b", "R1"), choice("c"), choice("d", "R2"), choice("e", "R3")];
    expect(packed(choices, joinBut(), 9)).toEqual([["a", "b"]]);
  });

  it("have each two together that touch a common rule", () => {
    const values = ["1", "2", "3"];
    const choices = ["a", "b", "c", "d"].flatMap((option) => values.map((value) => choice(option + value, "R1")));
    const sameOption = ["a", "b", "c", "d"].flatMap((o) =>
      values.flatMap((v) => values.filter((w) => w !== v).map((w) => `${o + v} ${o + w}`)),
    );
    const packs = packed(choices, joinBut(...sameOption), 9);
    for (const { name: one } of choices) {
      for (const { name: other } of choices) {
        const together = packs.some((pack) => pack.includes(one) && pack.includes(other));
        expect(together, `${one} and ${other}`).toBe(one === other || one[0] !== other[0]);
      }
    }
    expect(packs.length).toBeLessThan(choices.length * 2);
  });

  it("are no larger than asked for", () => {
    const packs = packed(
      ["a", "b", "c", "d", "e"].map((name) => choice(name, "R1")),
      joinBut(),
      3,
    );
    expect(Math.max(...packs.map((pack) => pack.length))).toBe(3);
    const pairs = packs.flatMap((pack) => pack.flatMap((one) => pack.map((other) => one + other)));
    expect(new Set(pairs).size).toBe(25);
  });

  it("need not have two together that touch no common rule", () => {
    const choices = [choice("a1", "R1"), choice("a2", "R2"), choice("b1", "R1"), choice("b2", "R2")];
    expect(packed(choices, joinBut("a1 a2", "b1 b2"), 9)).toHaveLength(2);
  });

  it("keep the order that joining gives them", () => {
    const last: Join<Choice> = (pack, one) => (one.name === "b" ? [one, ...pack] : [...pack, one]);
    const choices = [choice("a", "R1"), choice("b", "R1"), choice("c", "R1")];
    expect(packed(choices, last, 9)).toEqual([["b", "a", "c"]]);
  });

  it("are the same each time", () => {
    const choices = ["a", "b", "c", "d", "e"].map((name, at) => choice(name, `R${at % 2}`));
    const pack = () => packed(choices, joinBut("a b", "c d"), 9);
    expect(pack()).toEqual(pack());
  });
});
