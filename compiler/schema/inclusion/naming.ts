import type { JsonSchema } from "../json-schema.ts";
import { matcherOf } from "../pattern-match.ts";
import { type Components, resolveReference } from "../resolve-reference.ts";
import {
  enumerated,
  isAnything,
  isNothing,
  isObject,
  schemaAt,
  schemaMapAt,
  schemasAt,
  stringAt,
  stringsAt,
} from "../schema-node.ts";
import { schemasUnder } from "./left.ts";

/**
 * How an object schema that does not close its objects is read. `letter`: any further member may be there, of any
 * value. `names`: who exchanges objects sends the members that are named; a member that only the other side names is
 * not there. Objects of a schema that names none are maps, and read by the letter; so are those whose further members
 * have a schema, or are refused.
 */
export type Reading = "letter" | "names";

/** The members that a schema of objects names. */
export interface Naming {
  readonly has: (name: string) => boolean;
  /** Whether an alternative or a condition may say more about the member than what stands outside of them. */
  readonly isConditional: (name: string) => boolean;
}

/** A schema that speaks about the same value; `conditional` where it stands in an alternative or a condition. */
interface Speaker {
  readonly schema: JsonSchema;
  readonly conditional: boolean;
}

const alternatives = ["anyOf", "oneOf"] as const;
const conditions = ["if", "then", "else"] as const;

/** The schema and all that it applies to the same value in turn, whether or not it comes to apply. */
export function speakersIn(schema: JsonSchema, components: Components): readonly Speaker[] {
  const found: Speaker[] = [{ schema, conditional: false }];
  const entered = new Set<string>();
  // A list that grows while it is walked is walked to its new end.
  for (const { schema: at, conditional } of found) {
    const inner = (schemas: readonly JsonSchema[], isConditional: boolean): void => {
      for (const one of schemas) found.push({ schema: one, conditional: conditional || isConditional });
    };
    const reference = stringAt(at, "$ref");
    const key = `${reference} ${conditional}`;
    if (reference !== undefined && !entered.has(key)) {
      entered.add(key);
      inner([resolveReference(reference, components)], false);
    }
    inner(schemasAt(at, "allOf"), false);
    for (const keyword of alternatives) inner(schemasAt(at, keyword), true);
    for (const keyword of conditions)
      inner(
        [schemaAt(at, keyword)].filter((one) => one !== undefined),
        true,
      );
    inner([...schemaMapAt(at, "dependentSchemas").values()], true);
  }
  return found;
}

/** Names that a schema lists by itself. */
export function namesListed(schema: JsonSchema): readonly string[] {
  const dependents = isObject(schema.dependentRequired) ? schema.dependentRequired : {};
  return [
    ...schemaMapAt(schema, "properties").keys(),
    ...stringsAt(schema, "required"),
    ...Object.keys(dependents).flatMap((name) => [name, ...stringsAt(dependents, name)]),
    ...schemaMapAt(schema, "dependentSchemas").keys(),
    ...(enumerated(schemaAt(schema, "propertyNames") ?? {}) ?? []).map(String),
  ];
}

/** What a schema and all that it applies to the same value say, whether or not it comes to apply. */
export interface Speech {
  readonly schemas: readonly JsonSchema[];
  /** The names that they list. */
  readonly names: ReadonlySet<string>;
}

/** The same for schemas that lean on some components, each looked at once. */
export function speechReader(components: Components): (schema: JsonSchema) => Speech {
  const known = new WeakMap<JsonSchema, Speech>();
  return (schema) => {
    const found = known.get(schema);
    if (found !== undefined) return found;
    const schemas = speakersIn(schema, components).map((speaker) => speaker.schema);
    const made = { schemas, names: new Set(schemas.flatMap(namesListed)) };
    known.set(schema, made);
    return made;
  };
}

/** `map`: of further members something is said, or nothing is named. */
export type Openness = "open" | "closed" | "map";

/** What schemas that apply to one value together say of the names of its members. */
export function namesIn(schemas: readonly JsonSchema[]): {
  readonly openness: Openness;
  readonly has: (name: string) => boolean;
} {
  const names = new Set(schemas.flatMap(namesListed));
  const patterns = schemas.flatMap((schema) => [...schemaMapAt(schema, "patternProperties").keys()]);
  const others = ["additionalProperties", "unevaluatedProperties"].flatMap((keyword) => schemasUnder(schemas, keyword));
  const isClosed = others.some(isNothing);
  const isMap = names.size === 0 || others.some((other) => !isAnything(other) && !isNothing(other));
  return {
    openness: isClosed ? "closed" : isMap ? "map" : "open",
    has: (name) => names.has(name) || patterns.some((pattern) => matches(pattern, name)),
  };
}

function matches(pattern: string, name: string): boolean {
  try {
    return matcherOf(pattern).test(name);
  } catch {
    // A pattern that no engine reads, or does not end with, may mean any name; whoever compiles the schema tells.
    return true;
  }
}

/** The members that objects of a schema have by name; null where the schema is read by the letter. */
function namingOf(schema: JsonSchema, components: Components): Naming | null {
  const speakers = speakersIn(schema, components);
  const { openness, has } = namesIn(speakers.map((speaker) => speaker.schema));
  if (openness !== "open") return null;
  const conditional = speakers.filter((speaker) => speaker.conditional).map((speaker) => speaker.schema);
  return { has, isConditional: namesIn(conditional).has };
}

/** The same for schemas that lean on some components, each looked at once. */
export function namingReader(components: Components): (schema: JsonSchema) => Naming | null {
  const known = new WeakMap<JsonSchema, { readonly naming: Naming | null }>();
  return (schema) => {
    const made = known.get(schema) ?? { naming: namingOf(schema, components) };
    known.set(schema, made);
    return made.naming;
  };
}

/** Whether an alternative or a condition may say something about items, or about members that are not listed. */
export function isConditionalBeyondNames(schema: JsonSchema, components: Components): boolean {
  const keywords = [
    ...["items", "prefixItems", "contains", "unevaluatedItems"],
    ...["patternProperties", "additionalProperties", "unevaluatedProperties"],
  ];
  return speakersIn(schema, components).some(
    ({ schema: at, conditional }) =>
      (conditional && keywords.some((keyword) => at[keyword] !== undefined)) || at.contains !== undefined,
  );
}
