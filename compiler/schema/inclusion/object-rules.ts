import type { JsonSchema } from "../json-schema.ts";
import { matcherOf } from "../pattern-match.ts";
import { isAnything, isNothing, isObject, numberAt, schemaAt, schemaMapAt, stringsAt } from "../schema-node.ts";
import { type Doubt, doubt, type Judge, narrowed, ofPart } from "./doubt.ts";
import { everyOf } from "./every-of.ts";
import { type Left, schemasUnder, sureNames } from "./left.ts";
import { listedNames, memberSchema, otherNames } from "./names.ts";

/** What stands against all objects of the left side keeping what a schema says about objects. */
export function objectDoubts(left: Left, schema: JsonSchema, judge: Judge): readonly Doubt[] {
  return [
    ...requiredDoubts(left, stringsAt(schema, "required"), "required"),
    ...memberDoubts(left, schema, judge),
    ...countDoubts(left, schema, judge),
    ...nameDoubts(left, schemaAt(schema, "propertyNames"), judge),
    ...dependentRequiredDoubts(left, schema.dependentRequired, judge),
    ...dependentSchemaDoubts(left, schema, judge),
  ];
}

function requiredDoubts(left: Left, names: readonly string[], keyword: string): readonly Doubt[] {
  const sure = sureNames(left.views);
  return names
    .filter((name) => !sure.has(name))
    .map((name) => ({
      ...doubt(left, keyword, { properties: { [name]: false } }),
      pointer: pointerTo(name),
    }));
}

const pointerTo = (name: string): string => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

const memberOf = (views: readonly JsonSchema[], name: string): JsonSchema =>
  everyOf(views.map((view) => memberSchema(view, name, (pattern) => matcherOf(pattern).test(name))));

/** False where a name surely may not be. */
const mayBeNamed = (left: Left, name: string, judge: Judge): boolean =>
  left.views.every((view) => judge.accepts(schemaAt(view, "propertyNames") ?? {}, name) !== false);

const mostMembers = ({ views }: Left): number =>
  Math.min(...views.map((view) => numberAt(view, "maxProperties") ?? Infinity));

function memberDoubts(left: Left, schema: JsonSchema, judge: Judge): readonly Doubt[] {
  const { properties, patternProperties, additionalProperties } = schema;
  if (properties === undefined && patternProperties === undefined && additionalProperties === undefined) return [];
  if (mostMembers(left) < 1) return [];
  const naming = judge.naming(left);
  const named = [...listedNames([...left.views, schema])]
    .filter((name) => (naming === null || naming.has(name)) && mayBeNamed(left, name, judge))
    .flatMap((name) => {
      const prove = (): readonly Doubt[] => judge.partIncludes(memberOf(left.views, name), memberOf([schema], name));
      // What an alternative says of the member may name more members of it.
      const inner = naming?.isConditional(name) === true ? judge.byLetter(prove) : prove();
      return inner.map((each) => ofPart(left, name, each, pointerTo(name)));
    });
  return [...named, ...otherMemberDoubts(left, schema, judge)];
}

function otherMemberDoubts(left: Left, schema: JsonSchema, judge: Judge): readonly Doubt[] {
  const classes = otherNames(left.views, schema);
  if (classes === null) return [{ ...doubt(left, "patternProperties", {}), pointer: "/*" }];
  return classes.flatMap(({ patterns, example }) => {
    const other = memberSchema(schema, null, (pattern) => patterns.has(pattern));
    const part = everyOf(left.views.map((view) => memberSchema(view, null, (pattern) => patterns.has(pattern))));
    const inner = judge.partIncludes(part, other);
    const keyword = isNothing(other) ? "additionalProperties" : undefined;
    return inner.map((each): Doubt => {
      const told = { ...each, keyword: keyword ?? each.keyword };
      return example === null ? { ...told, pointer: "/*", suspects: left.schema } : ofPart(left, example, told, "/*");
    });
  });
}

function countDoubts(left: Left, schema: JsonSchema, judge: Judge): readonly Doubt[] {
  const [min, max] = [numberAt(schema, "minProperties") ?? 0, numberAt(schema, "maxProperties") ?? Infinity];
  const sure = Math.max(sureNames(left.views).size, ...left.views.map((view) => numberAt(view, "minProperties") ?? 0));
  const isFew = (): boolean => mostMembers(left) <= max || possibleNames(left, judge) <= max;
  return [
    ...(sure >= min ? [] : [doubt(left, "minProperties", { maxProperties: Math.ceil(min) - 1 })]),
    ...(max === Infinity || isFew() ? [] : [doubt(left, "maxProperties", { minProperties: Math.floor(max) + 1 })]),
  ];
}

/** How many members an object can have at most, as far as names are listed. */
function possibleNames(left: Left, judge: Judge): number {
  const others = otherNames(left.views, {});
  const isClosed = others?.every(({ patterns }) =>
    left.views.some((view) => isNothing(memberSchema(view, null, (pattern) => patterns.has(pattern)))),
  );
  if (isClosed !== true) return Infinity;
  const isPossible = (name: string): boolean =>
    mayBeNamed(left, name, judge) && !judge.partIsEmpty(memberOf(left.views, name));
  return [...listedNames(left.views)].filter(isPossible).length;
}

function nameDoubts(left: Left, names: JsonSchema | undefined, judge: Judge): readonly Doubt[] {
  if (names === undefined || isAnything(names) || mostMembers(left) < 1) return [];
  const refused = [...listedNames(left.views)].filter((name) => {
    if (judge.accepts(names, name) === true || !mayBeNamed(left, name, judge)) return false;
    return !judge.partIsEmpty(memberOf(left.views, name));
  });
  const wrong = refused.map((name): Doubt => {
    const there = doubt(left, "propertyNames", { type: "object", required: [name] });
    return { ...there, pointer: pointerTo(name) };
  });
  const naming = schemasUnder(left.views, "propertyNames");
  const others = otherNames(left.views, {});
  const beyond = (others ?? [{ patterns: new Set<string>() }]).flatMap(({ patterns }): readonly Doubt[] => {
    const part = left.views.map((view) => memberSchema(view, null, (pattern) => patterns.has(pattern)));
    if (judge.partIsEmpty(everyOf(part))) return [];
    const matching = [...patterns].map((pattern): JsonSchema => ({ pattern }));
    return judge.partIncludes({ type: "string", allOf: [...naming, ...matching] }, names);
  });
  if (beyond.length === 0) return wrong;
  return [...wrong, { ...doubt(left, "propertyNames", { not: { propertyNames: names } }), pointer: "/*" }];
}

/** Whether an object of the left side may have a member of the name. */
const mayHave = (left: Left, name: string, judge: Judge): boolean =>
  judge.naming(left)?.has(name) !== false &&
  mayBeNamed(left, name, judge) &&
  !judge.partIsEmpty(memberOf(left.views, name));

function dependentRequiredDoubts(
  left: Left,
  dependencies: JsonSchema[string] | undefined,
  judge: Judge,
): readonly Doubt[] {
  if (!isObject(dependencies)) return [];
  return Object.keys(dependencies).flatMap((name) => {
    const sure = sureNames(left.views, [name]);
    const missing = stringsAt(dependencies, name).filter((other) => !sure.has(other));
    if (missing.length === 0 || !mayHave(left, name, judge)) return [];
    return missing.map((other) => ({
      ...doubt(left, "dependentRequired", { type: "object", required: [name], properties: { [other]: false } }),
      pointer: pointerTo(other),
    }));
  });
}

function dependentSchemaDoubts(left: Left, schema: JsonSchema, judge: Judge): readonly Doubt[] {
  return [...schemaMapAt(schema, "dependentSchemas")].flatMap(([name, dependent]) => {
    const alike = left.views
      .map((view) => schemaMapAt(view, "dependentSchemas").get(name))
      .filter((own) => own !== undefined);
    if (alike.some((own) => judge.byLetter(() => judge.includes(own, dependent)).length === 0)) return [];
    const there = narrowed(left, ...alike, { type: "object", required: [name] });
    return mayHave(left, name, judge) ? judge.includes(there, dependent) : [];
  });
}

export function isEmptyOfObjects(left: Left, judge: Judge): boolean {
  const sure = sureNames(left.views);
  const min = Math.max(sure.size, ...left.views.map((view) => numberAt(view, "minProperties") ?? 0));
  if (min > mostMembers(left) || (min > sure.size && min > possibleNames(left, judge))) return true;
  return [...sure].some((name) => !mayHave(left, name, judge));
}
