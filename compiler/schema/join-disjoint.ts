import type { Json, JsonSchema } from "./json-schema.ts";
import { isAnnotation, typeSpokenOf } from "./keywords.ts";
import { type JsonType, typesOf } from "./schema-node.ts";

/**
 * One schema that admits exactly what at least one of the branches admits, for branches of different types: a string
 * of some form or null is a schema of two types, since what it says about strings lets null pass. Null when a branch
 * says anything that is not bound to its own types.
 */
export function joinDisjoint(branches: readonly JsonSchema[]): JsonSchema | null {
  if (branches.length === 0 || !branches.every(speaksOfOwnTypes) || !areDisjoint(branches)) return null;
  const keywords: Record<string, Json> = {};
  for (const branch of branches) {
    for (const [keyword, json] of Object.entries(branch)) {
      // Of one name but two types only "format" can be; a schema has room for one.
      if (keywords[keyword] !== undefined && !isAnnotation(keyword) && keyword !== "type") return null;
      keywords[keyword] = json;
    }
  }
  const { nullable: _, ...rest } = keywords;
  return { ...rest, type: branches.flatMap(typesOf).toSorted() };
}

/** No value can be of the types of two of the schemas. */
export function areDisjoint(schemas: readonly JsonSchema[]): boolean {
  const broad = (type: JsonType): JsonType => (type === "integer" ? "number" : type);
  const all = schemas.flatMap((schema) => typesOf(schema).map(broad));
  return new Set(all).size === all.length;
}

function speaksOfOwnTypes(branch: JsonSchema): boolean {
  const types = typesOf(branch);
  return Object.keys(branch).every((keyword) => {
    if (isAnnotation(keyword) || keyword === "nullable") return true;
    if (keyword === "type") return true;
    const spoken = typeSpokenOf(keyword, branch);
    return spoken !== null && (types.includes(spoken) || (spoken === "number" && types.includes("integer")));
  });
}
