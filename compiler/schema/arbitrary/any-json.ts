import fc from "fast-check";
import type { Json } from "../json-schema.ts";
import { hostileText } from "./hostile-text.ts";

const lowerCase = fc.string({ unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz_"), minLength: 1, maxLength: 8 });

/** Names for members that no schema declares. `__proto__` is left out: too many tools lose it on the way. */
export const memberName: fc.Arbitrary<string> = fc
  .oneof(lowerCase, hostileText({ min: 0, max: 12 }))
  .filter((name) => name !== "__proto__");

const { tree } = fc.letrec<{ leaf: Json; tree: Json }>((tie) => ({
  leaf: fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
    hostileText({ min: 0, max: undefined }),
  ),
  tree: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    { weight: 4, arbitrary: tie("leaf") },
    { weight: 1, arbitrary: fc.array(tie("tree"), { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.dictionary(memberName, tie("tree"), { maxKeys: 3, noNullPrototype: true }) },
  ),
}));

/** Any JSON value, of at most two levels. */
export const anyJson: fc.Arbitrary<Json> = tree;
