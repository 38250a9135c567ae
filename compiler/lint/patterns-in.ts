import type { Contract, JsonSchema, Place } from "../contract.ts";
import { isObject } from "../schema/schema-node.ts";
import type { LintContext } from "./lint-rule.ts";
import { innerSchemasOf, nameOfInner, placeOfInner, rootSchemasIn } from "./schemas-in.ts";

/** A regular expression of the contract. */
export interface FoundPattern {
  readonly pattern: string;
  /** What it constrains, as messages name it. */
  readonly of: string;
  readonly place: Place | null;
}

/** Every pattern of the schemas, of what the reference demands beyond them, and of delivery headers. */
export function patternsIn(contract: Contract, context: LintContext): readonly FoundPattern[] {
  const inSchemas = rootSchemasIn(contract, context).flatMap((root) =>
    innerSchemasOf(root.schema).flatMap(({ schema, path }) =>
      patternsOf(schema).map((pattern) => ({
        pattern,
        of: nameOfInner(root, path),
        place: placeOfInner(root, path),
      })),
    ),
  );
  const inNarrowings = contract.operations.flatMap((operation) =>
    operation.narrowings.flatMap(({ pointer, schema }) =>
      patternsOf(schema).map((pattern) => ({
        pattern,
        of: `what the reference demands of ${pointer} in ${operation.id}`,
        place: operation.place,
      })),
    ),
  );
  const inHeaders = contract.deliveryHeaders.flatMap(({ name, pattern }) =>
    pattern === null ? [] : [{ pattern, of: `delivery header ${name}`, place: null }],
  );
  return [...inSchemas, ...inNarrowings, ...inHeaders];
}

function patternsOf(schema: JsonSchema): readonly string[] {
  const own = typeof schema.pattern === "string" ? [schema.pattern] : [];
  return [...own, ...(isObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : [])];
}
