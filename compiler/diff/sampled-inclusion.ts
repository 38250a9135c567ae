import fc from "fast-check";
import { arbitraryOf } from "../schema/arbitrary.ts";
import { validatorFor } from "../schema/validator.ts";
import type { Includes } from "./judge.ts";

/** Inclusion as far as a few hundred values show: for tests of what is made of its answers. */
export const sampledInclusion: Includes = (inner, outer) => {
  const validator = validatorFor(outer.components);
  const accepts = validator.accepts(outer.schema);
  const values = fc.sample(arbitraryOf(inner.schema, inner.components), { numRuns: 300, seed: 1 });
  const counterexample = values.find((value) => !accepts(value));
  if (counterexample === undefined) return { kind: "included" };
  const [violation] = validator.compile(outer.schema)(counterexample);
  const { pointer = "", keyword = "", message = "" } = violation ?? {};
  return { kind: "not-included", counterexample, pointer, place: pointer, keyword, why: message, further: [] };
};
