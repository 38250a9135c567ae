import fc from "fast-check";
import { satisfying } from "../bounded-filter.ts";
import { bothOf } from "../intersect.ts";
import type { Json, JsonSchema } from "../json-schema.ts";
import { matcherOf } from "../pattern-match.ts";
import { anything, isObject, numberAt, schemaAt, schemaMapAt, stringsAt } from "../schema-node.ts";
import { memberName } from "./any-json.ts";
import type { Grow } from "./grow.ts";
import { patternText } from "./pattern-text.ts";

export interface ObjectOptions {
  /** Also adds members to objects that declare properties and say nothing about others. */
  readonly undeclaredMembers: boolean;
}

type Member = readonly [name: string, value: Json];

/** Undeclared members that are generated where no more are asked for. */
const usualExtra = 3;

/** Objects for a flat schema, most of them valid; null when there is none. */
export function objectArbitrary(
  schema: JsonSchema,
  grow: Grow,
  options: ObjectOptions,
): fc.Arbitrary<{ readonly [name: string]: Json }> | null {
  const required = stringsAt(schema, "required");
  const members = declaredMembers(schema, grow);
  if (required.some((name) => !members.has(name))) return null;
  const least = numberAt(schema, "minProperties") ?? 0;
  const most = numberAt(schema, "maxProperties") ?? Number.MAX_SAFE_INTEGER;
  if (least > most || required.length > most) return null;
  const extras = extraMembers(schema, grow, Math.max(0, least - members.size), options);
  if (extras === null) return null;
  const optional = [...members.keys()].filter((name) => !required.includes(name));
  const values = fc.tuple(...[...members].map(([name, value]) => value.map((json): Member => [name, json])));
  return fc.tuple(values, fc.subarray(optional), extras).map(([all, chosen, more]) => {
    const natural = new Set([...required, ...chosen, ...more.map(([name]) => name)]).size;
    const byNecessity = new Map([
      ...all.filter(([name]) => required.includes(name)),
      ...all.filter(([name]) => chosen.includes(name)),
      ...more,
      ...all.filter(([name]) => !required.includes(name) && !chosen.includes(name)),
    ]);
    const kept = [...byNecessity].slice(0, Math.min(Math.max(natural, least), most));
    return Object.fromEntries(withDependents(schema, kept, all));
  });
}

/** An arbitrary for each declared or required name that can have a value. */
function declaredMembers(schema: JsonSchema, grow: Grow): ReadonlyMap<string, fc.Arbitrary<Json>> {
  const declared = schemaMapAt(schema, "properties");
  const patterned = [...schemaMapAt(schema, "patternProperties")];
  const members = new Map<string, fc.Arbitrary<Json>>();
  for (const name of new Set([...declared.keys(), ...stringsAt(schema, "required")])) {
    const matching = patterned.filter(([pattern]) => matches(pattern, name)).map(([, value]) => value);
    const elsewhere = matching.length > 0 ? anything : othersOf(schema);
    const made = grow(matching.reduce(bothOf, declared.get(name) ?? elsewhere ?? anything));
    if (made !== null) members.set(name, made);
  }
  return supported(schema, members);
}

/** The members without those that may not be there for want of another that `dependentRequired` asks for. */
function supported<T>(schema: JsonSchema, members: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  const { dependentRequired } = schema;
  if (!isObject(dependentRequired)) return members;
  const lacking = (name: string): boolean => stringsAt(dependentRequired, name).some((other) => !members.has(other));
  const kept = new Map([...members].filter(([name]) => !lacking(name)));
  return kept.size === members.size ? kept : supported(schema, kept);
}

/** What the schema says about names that it does not list. */
const othersOf = (schema: JsonSchema): JsonSchema | undefined =>
  schemaAt(schema, "additionalProperties") ?? schemaAt(schema, "unevaluatedProperties");

/** Members with names of their own; null when some are needed and none can be had. */
function extraMembers(
  schema: JsonSchema,
  grow: Grow,
  needed: number,
  options: ObjectOptions,
): fc.Arbitrary<readonly Member[]> | null {
  const declares = schema.properties !== undefined;
  const invited = !declares || othersOf(schema) !== undefined || schema.patternProperties !== undefined;
  const misnamed = schemaAt(schemaAt(schema, "not") ?? anything, "propertyNames");
  if (misnamed !== undefined) return misnamedMembers(schema, grow, misnamed, needed);
  if (!invited && !options.undeclaredMembers && needed === 0) return fc.constant([]);
  const extra = extraMember(schema, grow, schemaAt(schema, "propertyNames"));
  if (extra === null) return needed > 0 ? null : fc.constant([]);
  return fc.array(extra, { minLength: needed, maxLength: needed + usualExtra });
}

/** One member whose name the schema refuses, among others. */
function misnamedMembers(
  schema: JsonSchema,
  grow: Grow,
  refused: JsonSchema,
  needed: number,
): fc.Arbitrary<readonly Member[]> | null {
  const named = schemaAt(schema, "propertyNames") ?? anything;
  const wrong = extraMember(schema, grow, bothOf(named, { not: refused }));
  const right = extraMember(schema, grow, bothOf(named, refused));
  if (wrong === null || (right === null && needed > 1)) return null;
  const minLength = Math.max(0, needed - 1);
  const others = right === null ? fc.constant([]) : fc.array(right, { minLength, maxLength: minLength + usualExtra });
  return fc.tuple(wrong, others).map(([one, more]) => [one, ...more]);
}

function extraMember(schema: JsonSchema, grow: Grow, named: JsonSchema | undefined): fc.Arbitrary<Member> | null {
  const taken = new Set([...schemaMapAt(schema, "properties").keys(), ...stringsAt(schema, "required")]);
  const patterned = [...schemaMapAt(schema, "patternProperties")];
  const names = named === undefined ? memberName : grow(bothOf({ type: "string" }, named));
  const free = (name: Json): boolean =>
    typeof name === "string" && !taken.has(name) && !patterned.some(([pattern]) => matches(pattern, name));
  const choices: fc.Arbitrary<Member>[] = [];
  const add = (
    chosen: fc.Arbitrary<Json> | null,
    value: fc.Arbitrary<Json> | null,
    fits: (name: Json) => boolean,
  ): void => {
    const fitting = chosen && value && satisfying(chosen, fits, () => "the name of a further member");
    if (fitting && value) choices.push(fc.tuple(fitting.map(String), value));
  };
  add(names, grow(othersOf(schema) ?? anything), free);
  for (const [pattern, value] of patterned) {
    add(
      patternText(pattern),
      grow(value),
      (name) => typeof name === "string" && !taken.has(name) && matches(pattern, name),
    );
  }
  return choices.length === 0 ? null : fc.oneof(...choices);
}

/** The members and those that `dependentRequired` asks for beside them. */
function withDependents(schema: JsonSchema, kept: readonly Member[], all: readonly Member[]): readonly Member[] {
  if (!isObject(schema.dependentRequired)) return kept;
  const present = new Map(kept);
  for (const name of present.keys()) {
    // A map that grows while it is walked is walked to its new end.
    for (const dependent of stringsAt(schema.dependentRequired, name)) {
      const found = all.find(([other]) => other === dependent);
      if (found && !present.has(dependent)) present.set(...found);
    }
  }
  return [...present];
}

const matches = (pattern: string, name: string): boolean => matcherOf(pattern).test(name);
