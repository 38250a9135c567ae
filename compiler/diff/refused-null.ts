import type { JsonSchema } from "../contract.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { enumerated, schemasAt, stringAt } from "../schema/schema-node.ts";
import { listAt } from "./json-at.ts";
import { targetOf } from "./schema-walk.ts";

/**
 * Whether a schema says that null is one of its values while something beside it refuses null: a part of its `allOf`, or a list
 * of values without it. By the letter null is none of them then; many mean it to be.
 */
export function isNullRefusedBeside(written: readonly JsonSchema[], components: Components): boolean {
  const together = [...new Set(written.flatMap((schema) => conjoined(schema, components, new Set())))];
  return together.some((schema) => listAt(schema, "type").includes("null")) && together.some(refusesNull);
}

function refusesNull(schema: JsonSchema): boolean {
  const listed = enumerated(schema);
  if (listed !== undefined) return !listed.includes(null);
  const types = typeof schema.type === "string" ? [schema.type] : listAt(schema, "type");
  return types.length > 0 && !types.includes("null");
}

/** The schema, and all that has to hold beside it. */
function conjoined(schema: JsonSchema, components: Components, entered: Set<string>): readonly JsonSchema[] {
  const reference = stringAt(schema, "$ref");
  const target = reference === undefined || entered.has(reference) ? null : targetOf(reference, components);
  if (reference !== undefined) entered.add(reference);
  return [
    schema,
    ...[...(target === null ? [] : [target.schema]), ...schemasAt(schema, "allOf")].flatMap((part) =>
      conjoined(part, components, entered),
    ),
  ];
}
