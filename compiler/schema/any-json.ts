import fc from "fast-check";
import type { Json } from "../contract.ts";
import { hostileText } from "./hostile-text.ts";

/** Any JSON value, of at most two levels. */
export function anyJson(): fc.Arbitrary<Json> {
  const text = hostileText({ min: 0, max: undefined });
  const { tree } = fc.letrec<{ leaf: Json; tree: Json }>((tie) => ({
    leaf: fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
      text,
    ),
    tree: fc.oneof(
      { maxDepth: 2, depthSize: "small" },
      { weight: 4, arbitrary: tie("leaf") },
      { weight: 1, arbitrary: fc.array(tie("tree"), { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.dictionary(memberName(), tie("tree"), { maxKeys: 3, noNullPrototype: true }) },
    ),
  }));
  return tree;
}

/** Names for members that no schema declares. `__proto__` is left out: too many tools lose it on the way. */
export function memberName(): fc.Arbitrary<string> {
  const plain = fc.stringMatching(/^[a-z][a-z_]{0,8}$/);
  return fc.oneof(plain, hostileText({ min: 0, max: 12 })).filter((name) => name !== "__proto__");
}
