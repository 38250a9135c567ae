import { expect, it } from "vitest";
import { prove } from "./prove.ts";

it("counts each verdict, and finds no contradiction of the engine's own", () => {
  const { verdicts, contradictions } = prove(10, 1);
  expect(verdicts.included + verdicts["not-included"] + verdicts.unknown).toBe(40);
  expect(contradictions).toEqual([]);
});

it("finds a judge who says that all is included", () => {
  const { contradictions } = prove(10, 1, () => ({ kind: "included" }));
  expect(contradictions.length).toBeGreaterThan(0);
});
