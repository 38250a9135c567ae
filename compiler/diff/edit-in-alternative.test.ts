import { expect, it } from "vitest";
import type { JsonSchema } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const components = (...codes: readonly string[]) => ({
  Code: { type: "string", enum: [...codes] },
  Problem: { type: "object", properties: { code: ref("Code") }, required: ["code"] },
  Note: { type: "object", properties: { text: { type: "string" } }, additionalProperties: false },
});

it("names what was edited within an alternative of a union that nothing tells apart", () => {
  const union: JsonSchema = { anyOf: [ref("Note"), ref("Problem")] };
  const found = diff(
    documentOf("response", union, components("a")),
    documentOf("response", union, components("a", "b")),
    {
      includes: (inner, outer) => includes(inner, outer, "names"),
      extent: "document",
    },
  );
  expect(found.map(({ edit }) => edit)).toEqual([
    { at: "/components/schemas/Code", keyword: "enum", before: [], after: ["b"] },
  ]);
});
