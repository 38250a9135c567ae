import { expect, test } from "vitest";
import { contrastText } from "./contrast-text.ts";

test("refusals that left alone what one of them changed are told by their answers, with how many there were", () => {
  const spared = ["422 VALIDATION_FAILED", "401 UNAUTHORIZED", "422 VALIDATION_FAILED"];
  expect(contrastText({ told: null, at: [], spared })).toBe(
    "nothing changed after 401 UNAUTHORIZED, 422 VALIDATION_FAILED ×2",
  );
  expect(contrastText({ told: null, at: [] })).toBeNull();
});
