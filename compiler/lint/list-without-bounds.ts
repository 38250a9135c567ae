import type { JsonSchema, OpenApiDocument } from "../contract.ts";
import { resolveReference } from "../schema/resolve-reference.ts";
import { documentOf } from "../service-of.ts";
import { breach, type LintRule } from "./lint-rule.ts";
import { calledName } from "./rows-of-operation.ts";

const wanted = ["minimum", "maximum", "default"] as const;

/** The page size of a list has a least, a greatest and a default value, or an open question that asks for them. */
export const listWithoutBounds: LintRule = (contract) =>
  contract.operations
    .filter((operation) => operation.list && operation.pageSizeQuestion === null)
    .flatMap((operation) => {
      const document = documentOf(contract, operation);
      const parameters = document.paths[operation.path]?.[operation.method]?.parameters ?? [];
      const limit = parameters.find((parameter) => parameter.in === "query" && parameter.name === operation.pageSize);
      if (limit === undefined) {
        return breach(
          "list-without-bounds",
          operation.place,
          `${calledName(operation)} lists records but no parameter says how many.`,
          "Add a parameter with @query, @pageSize, @minValue, @maxValue and a default.",
        );
      }
      const stated = keywordsOf(limit.schema, document);
      const missing = wanted.filter((keyword) => !stated.has(keyword));
      if (missing.length === 0) return [];
      return breach(
        "list-without-bounds",
        operation.place,
        `The parameter "${limit.name}" of ${calledName(operation)} has no ${missing.join(", no ")}.`,
        "Give it @minValue, @maxValue and a default, or an open @@question of its own where the document names none.",
      );
    });

/** Keywords of a schema and of those that it takes over. */
function keywordsOf(schema: JsonSchema, document: OpenApiDocument, above: readonly string[] = []): ReadonlySet<string> {
  const found = new Set(Object.keys(schema));
  const reference = schema.$ref;
  if (typeof reference === "string" && !above.includes(reference)) {
    const referred = resolveReference(reference, document.components.schemas);
    for (const keyword of keywordsOf(referred, document, [...above, reference])) found.add(keyword);
  }
  const parts = Array.isArray(schema.allOf) ? (schema.allOf as readonly JsonSchema[]) : [];
  for (const part of parts) for (const keyword of keywordsOf(part, document, above)) found.add(keyword);
  return found;
}
