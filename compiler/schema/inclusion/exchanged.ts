import type { Json, JsonSchema } from "../json-schema.ts";
import { matcherOf } from "../pattern-match.ts";
import { resolveReference } from "../resolve-reference.ts";
import { isList, isObject, schemaAt, schemaIn, schemaMapAt, schemasAt, stringAt } from "../schema-node.ts";
import { schemasUnder } from "./left.ts";
import { namesIn, speechReader } from "./naming.ts";
import type { TwoSides } from "./two-sides.ts";

/**
 * Whether a value of the one schema is one that is exchanged by name: no object of it has a member that only the other
 * schema names. Of alternatives those speak that the value satisfies.
 */
export function isExchanged(value: Json, one: JsonSchema, other: JsonSchema, sides: TwoSides): boolean {
  const speechOf = speechIn(sides);
  const visit = (part: Json, own: readonly JsonSchema[], others: readonly JsonSchema[]): boolean => {
    if (!isList(part) && !isObject(part)) return true;
    const speaking = own.flatMap((schema) => speakersFor(part, schema, sides));
    const beyond = others.flatMap((schema) => speechOf(schema).schemas);
    if (isList(part)) {
      return part.every((item, index) => visit(item, itemsAt(speaking, index), itemsAt(beyond, index)));
    }
    const { openness: met, has } = namesIn(speaking);
    // Alternatives that the value is none of name members too: it has them no more than what the other side alone names.
    const inOwn = own.flatMap((schema) => speechOf(schema).schemas);
    const isKnown = (name: string): boolean => [...others, ...own].some((schema) => speechOf(schema).names.has(name));
    // One that names none is a map only where no other names any.
    const openness = namesIn(inOwn).openness === "open" ? "open" : met;
    return Object.entries(part).every(
      ([name, member]) =>
        (openness !== "open" || has(name) || !isKnown(name)) &&
        visit(member, membersAt(speaking, name), membersAt(beyond, name)),
    );
  };
  return visit(value, [one], [other]);
}

const readers = new WeakMap<TwoSides, ReturnType<typeof speechReader>>();

function speechIn(sides: TwoSides): ReturnType<typeof speechReader> {
  const found = readers.get(sides) ?? speechReader(sides.components);
  readers.set(sides, found);
  return found;
}

/** The schemas that speak about a value, of alternatives and conditions those that it meets. */
function speakersFor(value: Json, schema: JsonSchema, { components, acceptsFirst }: TwoSides): readonly JsonSchema[] {
  const found = [schema];
  const entered = new Set<string>();
  for (const at of found) {
    const reference = stringAt(at, "$ref");
    if (reference !== undefined && !entered.has(reference)) {
      entered.add(reference);
      found.push(resolveReference(reference, components));
    }
    found.push(...schemasAt(at, "allOf"));
    for (const keyword of ["anyOf", "oneOf"]) {
      found.push(...schemasAt(at, keyword).filter((branch) => acceptsFirst(branch, value)));
    }
    const condition = schemaAt(at, "if");
    if (condition !== undefined) {
      const isMet = acceptsFirst(condition, value);
      const then = schemaAt(at, isMet ? "then" : "else");
      found.push(...(isMet ? [condition] : []), ...(then === undefined ? [] : [then]));
    }
    if (!isObject(value)) continue;
    for (const [name, dependent] of schemaMapAt(at, "dependentSchemas")) {
      if (Object.hasOwn(value, name)) found.push(dependent);
    }
  }
  return found;
}

const itemsAt = (speaking: readonly JsonSchema[], index: number): readonly JsonSchema[] =>
  speaking.flatMap((schema) => {
    const first = schemasAt(schema, "prefixItems")[index];
    const own = first === undefined ? schemasUnder([schema], "items") : [first];
    return [...own, ...["contains", "unevaluatedItems"].flatMap((keyword) => schemasUnder([schema], keyword))];
  });

function membersAt(speaking: readonly JsonSchema[], name: string): readonly JsonSchema[] {
  return speaking.flatMap((schema) => {
    const declared = schemaIn(schema, "properties", name);
    const matching = [...schemaMapAt(schema, "patternProperties")]
      .filter(([pattern]) => matcherOf(pattern).test(name))
      .map(([, member]) => member);
    const own = [...(declared === undefined ? [] : [declared]), ...matching];
    if (own.length > 0) return own;
    return ["additionalProperties", "unevaluatedProperties"].flatMap((keyword) => schemasUnder([schema], keyword));
  });
}
