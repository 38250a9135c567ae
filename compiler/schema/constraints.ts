import type { Json, JsonSchema } from "./json-schema.ts";
import { matcherOf } from "./pattern-match.ts";
import {
  isList,
  isNothing,
  isObject,
  type JsonType,
  jsonTypes,
  numberAt,
  schemaAt,
  schemaMapAt,
  schemasAt,
  stringAt,
  stringsAt,
  typeOf,
  typesOf,
  without,
} from "./schema-node.ts";

/** One constraint that a schema sets at its own level, and how to break it alone. */
export interface Constraint {
  readonly keyword: string;
  /** Which way of breaking the keyword, where it has several: the missing name, the wrong type. */
  readonly variant: string | null;
  /** Name of the member that the violation is about, `*` for any; null when it is about the value itself. */
  readonly member: string | null;
  /** What is wrong with a value that breaks it, to go after the value's name: "has fewer than 3 items". */
  readonly describe: string;
  /** Admits values that break the constraint and, as far as a schema can say it, no other. */
  readonly broken: JsonSchema;
  /** The schema without the constraint. */
  readonly relaxed: JsonSchema;
}

/**
 * The constraints at the own level of a flat schema, those of its subschemas excepted. A wrong type is a breach of
 * `type` alone, although it is never among the values that the schema enumerates either. `dependentSchemas` is left out.
 */
export function constraintsOf(schema: JsonSchema): readonly Constraint[] {
  const types = typesOf(schema);
  const admits = (type: JsonType): boolean => types.includes(type) || (type === "number" && types.includes("integer"));
  return [
    ...typeConstraints(schema),
    ...enumerationConstraints(schema),
    ...(admits("string") ? stringConstraints(schema) : []),
    ...(admits("number") ? numberConstraints(schema) : []),
    ...(admits("array") ? arrayConstraints(schema) : []),
    ...(admits("object") ? objectConstraints(schema) : []),
    ...logicConstraints(schema),
  ];
}

interface Break {
  readonly keyword: string;
  readonly variant?: string;
  readonly member?: string;
  readonly describe: string;
  /** What broken values satisfy in place of the constraint. */
  readonly instead: JsonSchema;
  /** The schema without the constraint, where that is not the schema without its keyword. */
  readonly relaxed?: JsonSchema;
}

function constraint(schema: JsonSchema, { keyword, variant, member, describe, instead, relaxed }: Break): Constraint {
  const rest = relaxed ?? without(schema, keyword);
  const broken = { ...rest, allOf: [...schemasAt(rest, "allOf"), instead] };
  return { keyword, variant: variant ?? null, member: member ?? null, describe, broken, relaxed: rest };
}

const counted = (count: number, unit: string): string => `${count} ${count === 1 ? unit.replace(/s$/, "") : unit}`;

function typeConstraints(schema: JsonSchema): readonly Constraint[] {
  if (schema.type === undefined) return [];
  const admitted = typesOf(schema);
  const relaxed = without(schema, "type", "nullable", "enum", "const");
  return jsonTypes
    .filter((type) => !admitted.includes(type))
    .map((type) => {
      const isFraction = type === "number" && admitted.includes("integer");
      const describe = isFraction ? "is not a whole number" : `is ${named[type]}`;
      const instead = isFraction ? { type, not: { type: "integer" } } : { type, maxItems: 3, maxProperties: 3 };
      return constraint(schema, { keyword: "type", variant: type, describe, instead, relaxed });
    });
}

const named = {
  array: "an array",
  boolean: "a boolean",
  null: "null",
  number: "a number",
  object: "an object",
  string: "a string",
} as const;

function enumerationConstraints(schema: JsonSchema): readonly Constraint[] {
  return ["enum", "const"].flatMap((keyword) => {
    const json = schema[keyword];
    if (json === undefined) return [];
    const values: readonly Json[] = keyword === "enum" && isList(json) ? json : [json];
    const instead = { type: [...new Set(values.map(typeOf))], not: { enum: values } };
    const describe = `is none of ${values.map((value) => JSON.stringify(value)).join(", ")}`;
    return [constraint(schema, { keyword, describe, instead })];
  });
}

/** A least or greatest size, broken from just outside. */
function sizes(
  schema: JsonSchema,
  type: JsonType,
  least: string,
  greatest: string,
  unit: string,
): readonly Constraint[] {
  const [min, max] = [numberAt(schema, least), numberAt(schema, greatest)];
  const constraints: Constraint[] = [];
  if (min !== undefined && min > 0) {
    const describe = `has fewer than ${counted(min, unit)}`;
    constraints.push(
      constraint(schema, { keyword: least, describe, instead: { type, [greatest]: Math.ceil(min) - 1 } }),
    );
  }
  if (max !== undefined) {
    const describe = `has more than ${counted(max, unit)}`;
    constraints.push(
      constraint(schema, { keyword: greatest, describe, instead: { type, [least]: Math.floor(max) + 1 } }),
    );
  }
  return constraints;
}

function stringConstraints(schema: JsonSchema): readonly Constraint[] {
  const constraints = [...sizes(schema, "string", "minLength", "maxLength", "characters")];
  for (const keyword of ["pattern", "format"]) {
    const stated = stringAt(schema, keyword);
    if (stated === undefined || (keyword === "format" && numberFormats.has(stated))) continue;
    const describe = keyword === "pattern" ? `does not match ${stated}` : `is no valid ${stated}`;
    constraints.push(
      constraint(schema, { keyword, describe, instead: { type: "string", not: { [keyword]: stated } } }),
    );
  }
  return constraints;
}

/** Bits of an integer format; the others hold any number of JSON. */
const numberFormats: ReadonlyMap<string, number> = new Map([
  ["int32", 32],
  ["int64", 64],
]);

function numberConstraints(schema: JsonSchema): readonly Constraint[] {
  const type = "number";
  const bounds = [
    { keyword: "minimum", opposite: "exclusiveMaximum", says: "is less than" },
    { keyword: "exclusiveMinimum", opposite: "maximum", says: "is not greater than" },
    { keyword: "maximum", opposite: "exclusiveMinimum", says: "is greater than" },
    { keyword: "exclusiveMaximum", opposite: "minimum", says: "is not less than" },
  ];
  const constraints = bounds.flatMap(({ keyword, opposite, says }) => {
    const bound = numberAt(schema, keyword);
    if (bound === undefined) return [];
    return [constraint(schema, { keyword, describe: `${says} ${bound}`, instead: { type, [opposite]: bound } })];
  });
  const step = numberAt(schema, "multipleOf");
  if (step !== undefined) {
    const instead = { type, not: { multipleOf: step } };
    constraints.push(constraint(schema, { keyword: "multipleOf", describe: `is no multiple of ${step}`, instead }));
  }
  const format = stringAt(schema, "format") ?? "";
  const bits = numberFormats.get(format);
  if (bits !== undefined) {
    const limit = 2 ** (bits - 1);
    // Beyond 2⁵³ the next number below the least one is not one less but 2048 less.
    const below = bits === 64 ? -limit - 2048 : -limit - 1;
    const instead = { type: "integer", anyOf: [{ minimum: limit }, { maximum: below }] };
    constraints.push(constraint(schema, { keyword: "format", describe: `does not fit into ${format}`, instead }));
  }
  return constraints;
}

function arrayConstraints(schema: JsonSchema): readonly Constraint[] {
  const type = "array";
  const constraints = [...sizes(schema, type, "minItems", "maxItems", "items")];
  if (schema.uniqueItems === true) {
    const instead = { type, minItems: 2, not: { uniqueItems: true } };
    constraints.push(constraint(schema, { keyword: "uniqueItems", describe: "has an item twice", instead }));
  }
  for (const keyword of ["items", "unevaluatedItems"]) {
    const prefix = schemasAt(schema, "prefixItems").length;
    if (prefix === 0 || !isNothing(schemaAt(schema, keyword) ?? {})) continue;
    const instead = { type, minItems: prefix + 1, maxItems: prefix + 3 };
    constraints.push(constraint(schema, { keyword, describe: `has more than ${counted(prefix, "items")}`, instead }));
  }
  const contained = schemaAt(schema, "contains");
  if (contained === undefined) return constraints;
  const relaxed = without(schema, "contains", "minContains", "maxContains");
  const [min, max] = [numberAt(schema, "minContains") ?? 1, numberAt(schema, "maxContains")];
  const containing = (variant: string, describe: string, counts: JsonSchema): Constraint =>
    constraint(schema, {
      keyword: "contains",
      variant,
      describe,
      instead: { type, contains: contained, ...counts },
      relaxed,
    });
  const tooFew = { minContains: 0, maxContains: min - 1 };
  if (min > 0) constraints.push(containing("fewer", `has fewer than ${min} of the items it must contain`, tooFew));
  if (max !== undefined) {
    constraints.push(containing("more", `has more than ${max} of the items it may contain`, { minContains: max + 1 }));
  }
  return constraints;
}

function objectConstraints(schema: JsonSchema): readonly Constraint[] {
  const type = "object";
  const constraints = [...sizes(schema, type, "minProperties", "maxProperties", "members")];
  const absent = (name: string): JsonSchema => ({ type, properties: { [name]: { not: {} } } });
  const required = stringsAt(schema, "required");
  for (const name of required) {
    const relaxed = { ...schema, required: required.filter((other) => other !== name) };
    const describe = "is missing";
    constraints.push(
      constraint(schema, {
        keyword: "required",
        variant: name,
        member: name,
        describe,
        instead: absent(name),
        relaxed,
      }),
    );
  }
  for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
    if (!isNothing(schemaAt(schema, keyword) ?? {})) continue;
    const member = undeclaredName(schema);
    const describe = "is there, but not provided for";
    constraints.push({
      ...constraint(schema, { keyword, member, describe, instead: {} }),
      // Closed but for one name, so that no second unwanted member turns up.
      broken: {
        ...schema,
        type,
        required: [...required, member],
        properties: { ...Object.fromEntries(schemaMapAt(schema, "properties")), [member]: {} },
      },
    });
  }
  const names = schemaAt(schema, "propertyNames");
  if (names !== undefined) {
    const instead = { type, not: { propertyNames: names } };
    constraints.push(
      constraint(schema, { keyword: "propertyNames", member: "*", describe: "is a member of a wrong name", instead }),
    );
  }
  return [...constraints, ...dependencyConstraints(schema)];
}

function dependencyConstraints(schema: JsonSchema): readonly Constraint[] {
  const dependencies = schema.dependentRequired;
  if (!isObject(dependencies)) return [];
  return Object.keys(dependencies).flatMap((name) =>
    stringsAt(dependencies, name).map((member) => {
      const others = stringsAt(dependencies, name).filter((other) => other !== member);
      return constraint(schema, {
        keyword: "dependentRequired",
        variant: `${name}, ${member}`,
        member,
        describe: `is missing beside ${JSON.stringify(name)}`,
        instead: { type: "object", required: [name], properties: { [member]: { not: {} } } },
        relaxed: { ...schema, dependentRequired: { ...dependencies, [name]: others } },
      });
    }),
  );
}

function undeclaredName(schema: JsonSchema): string {
  const declared = schemaMapAt(schema, "properties");
  const patterns = [...schemaMapAt(schema, "patternProperties").keys()].map(matcherOf);
  let name = "unexpected";
  while (declared.has(name) || (name.length < 40 && patterns.some((pattern) => pattern.test(name)))) name += "_";
  return name;
}

function logicConstraints(schema: JsonSchema): readonly Constraint[] {
  const constraints: Constraint[] = [];
  for (const keyword of ["anyOf", "oneOf"]) {
    if (schema[keyword] === undefined) continue;
    const instead = { not: { anyOf: schemasAt(schema, keyword) } };
    constraints.push(constraint(schema, { keyword, variant: "none", describe: "matches no alternative", instead }));
  }
  const alternatives = schemasAt(schema, "oneOf");
  const pairs = alternatives.flatMap((one, at) => alternatives.slice(at + 1).map((other) => ({ allOf: [one, other] })));
  if (pairs.length > 0) {
    const describe = "matches more than one alternative";
    constraints.push(constraint(schema, { keyword: "oneOf", variant: "several", describe, instead: { anyOf: pairs } }));
  }
  const refused = schemaAt(schema, "not");
  if (refused !== undefined) {
    constraints.push(constraint(schema, { keyword: "not", describe: "is what it must not be", instead: refused }));
  }
  return [...constraints, ...conditionConstraints(schema)];
}

function conditionConstraints(schema: JsonSchema): readonly Constraint[] {
  const condition = schemaAt(schema, "if");
  if (condition === undefined) return [];
  const relaxed = without(schema, "if", "then", "else");
  return ["then", "else"].flatMap((variant) => {
    const consequence = schemaAt(schema, variant);
    if (consequence === undefined) return [];
    const met = variant === "then" ? condition : { not: condition };
    const describe =
      variant === "then" ? "meets a condition but not what follows" : "fails a condition and what follows";
    return [
      constraint(schema, {
        keyword: "if",
        variant,
        describe,
        instead: { allOf: [met, { not: consequence }] },
        relaxed,
      }),
    ];
  });
}
