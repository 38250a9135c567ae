import type { Ajv2020 } from "ajv/dist/2020.js";
import { canonicalJson } from "./canonical-json.ts";
import { isMultiple } from "./is-multiple.ts";
import type { Json } from "./json-schema.ts";

/**
 * `enum`, `const` and `uniqueItems` with an equality of our own, and `multipleOf` in decimals. Ajv's equality calls
 * `valueOf` and `toString` of objects, which fails on JSON with members of those names, and compares items pair by
 * pair; its multiples are binary quotients, right up to a tolerance at best.
 */
export function replaceInexactKeywords(ajv: Ajv2020): void {
  for (const keyword of ["enum", "const", "uniqueItems", "multipleOf"]) ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    error: { message: ({ schema }) => `must be multiple of ${String(schema)}` },
    compile: (step: number) => (value: number) => isMultiple(value, step),
  });
  ajv.addKeyword({
    keyword: "enum",
    schemaType: "array",
    error: { message: "must be equal to one of the allowed values" },
    compile: (values: readonly Json[]) => {
      const allowed = new Set(values.map(canonicalJson));
      return (value: Json) => allowed.has(canonicalJson(value));
    },
  });
  ajv.addKeyword({
    keyword: "const",
    error: { message: "must be equal to constant" },
    compile: (only: Json) => {
      const text = canonicalJson(only);
      return (value: Json) => canonicalJson(value) === text;
    },
  });
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    error: { message: "must NOT have duplicate items" },
    compile: (wanted: boolean) => (items: readonly Json[]) =>
      !wanted || new Set(items.map(canonicalJson)).size === items.length,
  });
}
