import type { Json } from "../contract.ts";
import { canonicalJson } from "../schema/canonical-json.ts";
import { isList, isObject } from "../schema/schema-node.ts";
import { escapeToken } from "../schema/validator.ts";

export type JsonObject = { readonly [name: string]: Json };

const none: JsonObject = {};

/** What stands at a path of names, if anything. Typed reads of a document whose shape is not known. */
export function jsonAt(json: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    json,
  );
}

export const objectAt = (json: Json | undefined, ...path: readonly string[]): JsonObject => {
  const found = jsonAt(json, ...path);
  return isObject(found) ? found : none;
};

export const listAt = (json: Json | undefined, ...path: readonly string[]): readonly Json[] => {
  const found = jsonAt(json, ...path);
  return isList(found) ? found : [];
};

export const textAt = (json: Json | undefined, ...path: readonly string[]): string | null => {
  const found = jsonAt(json, ...path);
  return typeof found === "string" ? found : null;
};

export const isTrueAt = (json: Json | undefined, ...path: readonly string[]): boolean => jsonAt(json, ...path) === true;

/** A JSON Pointer (RFC 6901) made of names. */
export const pointerOf = (...names: readonly (string | number)[]): string =>
  names.map((name) => `/${escapeToken(String(name))}`).join("");

/** What stands at a JSON Pointer; undefined when nothing does. */
export const valueAt = (value: Json, pointer: string): Json | undefined =>
  tokensOf(pointer).reduce<Json | undefined>((at, name) => {
    if (isList(at)) return at[Number(name)];
    return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, value);

/** The names that a JSON Pointer is made of. */
export const tokensOf = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Texts that are equal when two documents say the same, prose and extensions aside. */
export const meaningOf = (json: Json): string => canonicalJson(withoutProse(json));

const prose: ReadonlySet<string> = new Set(["description", "summary", "title", "example", "examples", "externalDocs"]);

function withoutProse(json: Json): Json {
  if (isList(json)) return json.map(withoutProse);
  if (!isObject(json)) return json;
  const kept = Object.entries(json).filter(
    ([name, member]) => !name.startsWith("x-") && !(prose.has(name) && !isNamedMember(member)),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutProse(member)]));
}

/** A property that happens to be called "title" holds a schema, not prose. */
const isNamedMember = (json: Json): boolean => isObject(json) && ("type" in json || "$ref" in json);
