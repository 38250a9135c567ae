import type { JsonSchema, OpenApiDocument } from "../../compiler/contract.ts";
import type { DocumentedMember } from "./envelope.ts";
import { demands, member, shapeOf } from "./schema-shape.ts";

/** What two lists of names do not share, in any order; a repeated name counts as often as it stands. */
export function differencesOf(declared: readonly string[], documented: readonly string[]): readonly string[] {
  return [
    ...without(documented, declared).map((name) => `${name} is missing`),
    ...without(declared, documented).map((name) => `${name} is not in the document`),
  ];
}

/** How a declared member departs from a documented one. */
export function memberDifferences(
  document: OpenApiDocument,
  label: string,
  schema: JsonSchema,
  fact: DocumentedMember,
): readonly string[] {
  const found = member(document, schema, fact.name);
  if (found === null) return [`${label}: ${fact.name} is missing`];
  const declared = shapeOf(document, found);
  const shape = fact.perhapsNull === true ? declared.replace(/ or null$/, "") : declared;
  const sometimes = fact.always && !demands(document, schema, fact.name);
  return [
    ...(shape === fact.shape ? [] : [`${label}: ${fact.name} is ${shape}, not ${fact.shape}`]),
    ...(sometimes ? [`${label}: ${fact.name} may be left out`] : []),
  ];
}

function without(names: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return names.filter((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
