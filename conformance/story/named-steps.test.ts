import { expect, test } from "vitest";
import { withSteps } from "./named-steps.ts";
import type { ToldStep } from "./step.ts";

const called = (exchange: number): ToldStep => ({
  ...{ through: "api", what: null, exchange, request: null, outcome: null, seconds: null, at: 1, gives: [] },
});

test("answers are called by their steps, where the story has them", () => {
  const told = { steps: [called(70), called(81), called(92)], omitted: 0 };
  expect(withSteps("answer 92 follows answer 81, and answers 70 and 92 do not", told)).toEqual({
    says: "step 3 follows step 2, and steps 1 and 3 do not",
    steps: [3, 2, 1, 3],
  });
  expect(withSteps("answer 93, answers 70 and 93", told)).toEqual({ says: "answer 93, answers 70 and 93", steps: [] });
  expect(withSteps("answer 92", null)).toEqual({ says: "answer 92", steps: [] });
});
