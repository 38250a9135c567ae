import { describe, expect, it } from "vitest";
import { judgedElsewhere, wrongElsewhere } from "./fixtures/judged-elsewhere.ts";
import { includes } from "./inclusion.ts";

const answers = judgedElsewhere.map(({ one, other, included }) => {
  const { kind } = includes({ schema: one, components: {} }, { schema: other, components: {} });
  return { kind, isContradicted: kind !== "unknown" && (kind === "included") !== included };
});

describe("an implementation that shares no code", () => {
  it("is contradicted only where a reason says what it gets wrong", () => {
    const contradicted = answers.flatMap(({ isContradicted }, line) => (isContradicted ? [line] : []));
    expect(contradicted).toEqual(wrongElsewhere.flatMap(({ lines }) => lines).toSorted((one, other) => one - other));
  });

  it("is asked as much that holds as what does not, nearly all of which is decided here", () => {
    expect(judgedElsewhere.filter(({ included }) => included)).toHaveLength(judgedElsewhere.length / 2);
    expect(answers.filter(({ kind }) => kind === "unknown").length).toBeLessThan(judgedElsewhere.length / 100);
  });
});
