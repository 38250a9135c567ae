import type { JsonSchema } from "../contract.ts";
import type { Problem } from "../problem.ts";
import { UnresolvedReference } from "../schema/resolve-reference.ts";
import { UnusableSchema, validatorFor } from "../schema/validator.ts";
import { serviceOf } from "../service-of.ts";
import { breach, type LintRule } from "./lint-rule.ts";
import { innerSchemasOf, nameOfInner, placeOfInner, rootSchemasIn } from "./schemas-in.ts";

/** Every example of a schema, a body, a parameter or an answer satisfies its schema. */
export const exampleInvalid: LintRule = (contract, context) =>
  rootSchemasIn(contract, context).flatMap((root) => {
    const validator = validatorFor(serviceOf(contract, root.service).document.components.schemas);
    const judge = (
      name: string,
      place: Problem["place"],
      schema: JsonSchema,
      examples: readonly unknown[],
    ): Problem[] =>
      examples.flatMap((example) => {
        const fault = faultOf(() => validator.compile(schema)(example));
        return fault === null ? [] : breach("example-invalid", place, `An example of the ${name} ${fault}`, fix);
      });
    return [
      ...judge(root.name, root.place, root.schema, root.examples),
      ...innerSchemasOf(root.schema).flatMap(({ schema, path }) =>
        judge(nameOfInner(root, path), placeOfInner(root, path), schema, examplesIn(schema)),
      ),
    ];
  });

const fix = "Correct the example, or the schema if the example is right.";

/** Violations told at most; one mistake often breaks several keywords. */
const told = 3;

function faultOf(validate: () => readonly { readonly pointer: string; readonly message: string }[]): string | null {
  try {
    const violations = validate();
    if (violations.length === 0) return null;
    const shown = violations.slice(0, told).map(({ pointer, message }) => `${pointer || "the whole"} ${message}`);
    const more = violations.length > told ? `; and ${violations.length - told} more` : "";
    return `fails its schema: ${shown.join("; ")}${more}.`;
  } catch (error) {
    if (error instanceof UnusableSchema || error instanceof UnresolvedReference)
      return `cannot be judged. ${error.message}`;
    throw error;
  }
}

function examplesIn(schema: JsonSchema): readonly unknown[] {
  const single = schema.example === undefined ? [] : [schema.example];
  return [...single, ...(Array.isArray(schema.examples) ? schema.examples : [])];
}
