import { sortedSet } from "../canonical-json.ts";
import type { JsonSchema } from "../json-schema.ts";
import { anything, isAnything, isList, isNothing, nothing, schemasAt } from "../schema-node.ts";

/** One schema that admits what all of them admit; the same text for the same parts, in whatever order they come. */
export function everyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const all = schemas.flatMap(partsOf).filter((part) => !isAnything(part));
  const parts = all.length > 1 ? sortedSet(all) : all;
  if (parts.some(isNothing)) return nothing;
  return parts.length === 1 ? (parts[0] ?? anything) : parts.length === 0 ? anything : { allOf: parts };
}

const partsOf = (schema: JsonSchema): readonly JsonSchema[] =>
  Object.keys(schema).length === 1 && isList(schema.allOf) ? schemasAt(schema, "allOf").flatMap(partsOf) : [schema];
