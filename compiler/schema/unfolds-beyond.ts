import type { JsonSchema } from "./json-schema.ts";
import { forEachSubschema } from "./keywords.ts";
import { type Components, resolveReference, UnresolvedReference } from "./resolve-reference.ts";
import { stringAt } from "./schema-node.ts";

/**
 * Whether a schema has more parts than that once references are followed, each component once on each way. What makes
 * values or a canonical form of a schema takes at least so many steps: a few components that each use the next one
 * twice unfold to more than a machine holds.
 */
export function unfoldsBeyond(schema: JsonSchema, components: Components, parts: number): boolean {
  let left = parts;
  const visit = (at: JsonSchema, entered: readonly string[]): void => {
    left -= 1;
    if (left < 0) return;
    const reference = stringAt(at, "$ref");
    if (reference !== undefined && !entered.includes(reference)) {
      visit(targetOf(reference, components), [...entered, reference]);
    }
    forEachSubschema(at, (inner) => visit(inner, entered));
  };
  visit(schema, []);
  return left < 0;
}

function targetOf(reference: string, components: Components): JsonSchema {
  try {
    return resolveReference(reference, components);
  } catch (error) {
    // Told where it is followed in earnest.
    if (error instanceof UnresolvedReference) return {};
    throw error;
  }
}
