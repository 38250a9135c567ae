import type { JsonSchema } from "../contract.ts";
import { forEachSubschema, mapSubschemas } from "../schema/keywords.ts";
import { type Components, resolveReference } from "../schema/resolve-reference.ts";
import { schemaMapAt, schemasAt, stringAt, stringsAt } from "../schema/schema-node.ts";
import type { Meant } from "./judge.ts";

/** Which keyword takes a member out of a direction: nobody has to send what is read-only. */
export const excluded = { request: "readOnly", response: "writeOnly" } as const;

/** Views of a document's schemas in one direction: what the direction leaves out is never required. */
export function directionView(
  components: Components,
  direction: "request" | "response",
): (schema: JsonSchema) => Meant {
  const flag = excluded[direction];
  const view = (schema: JsonSchema): JsonSchema => {
    const inner = mapSubschemas(schema, view);
    if (inner.required === undefined) return inner;
    const members = schemaMapAt(schema, "properties");
    const required = stringsAt(schema, "required").filter((name) => {
      const member = members.get(name);
      return member === undefined || !isFlagged(member, flag, components);
    });
    return { ...inner, required };
  };
  const bearing = Object.values(components).some((schema) => bears(schema, flag));
  // Where nothing is left out, both directions see the same components, and what is known of them is known of both.
  const seen = bearing
    ? Object.fromEntries(Object.entries(components).map(([name, schema]) => [name, view(schema)]))
    : components;
  return (schema) => ({ schema: bearing || bears(schema, flag) ? view(schema) : schema, components: seen });
}

/** The flag stands somewhere in the schema, references not followed. */
function bears(schema: JsonSchema, flag: string): boolean {
  let found = schema[flag] === true;
  forEachSubschema(schema, (inner) => {
    found ||= bears(inner, flag);
  });
  return found;
}

/**
 * Returns whether the schema bears the flag: itself, through a reference or in a part of `allOf`. JSON Schema 2020-12, 9.4:
 * the flag holds if any schema that applies to the value sets it.
 */
export function isFlagged(schema: JsonSchema, flag: string, components: Components): boolean {
  const pending = [schema];
  const entered = new Set<string>();
  // A list that grows while it is walked is walked to its new end.
  for (const at of pending) {
    if (at[flag] === true) return true;
    pending.push(...schemasAt(at, "allOf"));
    const reference = stringAt(at, "$ref");
    if (reference === undefined || entered.has(reference)) continue;
    entered.add(reference);
    try {
      pending.push(resolveReference(reference, components));
    } catch {
      // Reported where the schemas are compared.
    }
  }
  return false;
}
