import { expect, it } from "vitest";
import type { JsonSchema } from "./json-schema.ts";
import type { Components } from "./resolve-reference.ts";
import { unfoldsBeyond } from "./unfolds-beyond.ts";

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const doubling: Components = Object.fromEntries(
  Array.from({ length: 40 }, (_, level) => [
    `Level${level}`,
    level === 0 ? { type: "string" } : { prefixItems: [ref(`Level${level - 1}`), ref(`Level${level - 1}`)] },
  ]),
);

it("counts the parts of a schema without references", () => {
  const schema = { type: "object", properties: { a: {}, b: { items: {} } } };
  expect(unfoldsBeyond(schema, {}, 4)).toBe(false);
  expect(unfoldsBeyond(schema, {}, 3)).toBe(true);
});

it("counts a component as often as it is used, and ends soon", () => {
  expect(unfoldsBeyond(ref("Level3"), doubling, 100)).toBe(false);
  expect(unfoldsBeyond(ref("Level39"), doubling, 10_000)).toBe(true);
});

it("enters what contains itself once on each way", () => {
  const components = { Tree: { type: "array", items: ref("Tree") } };
  expect(unfoldsBeyond(ref("Tree"), components, 3)).toBe(false);
});

it("takes a broken reference for a part", () => {
  expect(unfoldsBeyond(ref("Nobody"), {}, 2)).toBe(false);
});
