import { sameJson } from "../canonical-json.ts";
import { flatten } from "../flatten.ts";
import type { JsonSchema } from "../json-schema.ts";
import type { Components } from "../resolve-reference.ts";
import { isAnything, schemaAt, schemasAt, without } from "../schema-node.ts";
import { complementOf } from "./complement.ts";
import type { Left } from "./left.ts";

/** Most ways in which what a schema refuses may be refused. */
const mostWays = 12;

/**
 * Schemas that together admit at least the left side's values: one thing that it refuses is said as what it admits in its
 * place. Null where it refuses nothing, or where that can't be said otherwise.
 */
export function refusedCases({ type, schema }: Left, components: Components): readonly JsonSchema[] | null {
  const beside = schemasAt(schema, "allOf");
  // Taken apart from what it looks at, what is unevaluated would be something else.
  const parts = [without(schema, "allOf", "unevaluatedProperties", "unevaluatedItems"), ...beside];
  for (const [index, part] of parts.entries()) {
    const refused = schemaAt(part, "not");
    if (refused === undefined) continue;
    const ways = complementOf(refused, type, components);
    const saysLess = ways.length > mostWays || ways.some(isAnything);
    if (saysLess || isSaidAnyway(ways, flatten(refused, components).schema)) continue;
    const others = parts.filter((_, other) => other !== index);
    return ways.map((way) => ({ allOf: [...others, without(part, "not"), way, { type }] }));
  }
  return null;
}

/** The refusal itself is the only way to say it. */
const isSaidAnyway = ([only, ...others]: readonly JsonSchema[], refused: JsonSchema): boolean =>
  only !== undefined && others.length === 0 && sameJson(only, { not: refused });
