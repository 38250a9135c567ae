import type { Json, JsonSchema } from "./json-schema.ts";
import { forEachSubschema } from "./keywords.ts";
import { isList, isObject, schemaFrom } from "./schema-node.ts";

/** The `components.schemas` of a document: what `#/components/schemas/<name>` refers to. */
export type Components = Readonly<Record<string, JsonSchema>>;

const componentsPrefix = "#/components/schemas/";

/** A `$ref` that leads nowhere, or round in a circle. */
export class UnresolvedReference extends Error {
  override readonly name = "UnresolvedReference";
}

/** A reference taken apart; `path` leads on from the component to a schema inside it. */
export interface ComponentReference {
  readonly component: string;
  readonly path: readonly string[];
}

export function parseReference(reference: string): ComponentReference {
  const [component = "", ...path] = reference.slice(componentsPrefix.length).split("/").map(unescaped);
  if (!reference.startsWith(componentsPrefix) || component === "") {
    throw new UnresolvedReference(`$ref "${reference}" is not of the form ${componentsPrefix}<name>.`);
  }
  return { component, path };
}

/**
 * The schema that a reference names, one step: what it refers to in turn stays a reference. So recursion is no
 * concern here, and nothing is resolved that nobody asks for.
 */
export function resolveReference(reference: string, components: Components): JsonSchema {
  const { component, path } = parseReference(reference);
  const found = Object.hasOwn(components, component) ? components[component] : undefined;
  if (found === undefined) {
    throw new UnresolvedReference(
      `$ref "${reference}" names no component schema. Declare "${component}", or correct the name.`,
    );
  }
  const target = path.reduce<Json | undefined>(memberOf, found);
  if (!isObject(target) && typeof target !== "boolean") {
    throw new UnresolvedReference(`$ref "${reference}" leads to no schema inside "${component}".`);
  }
  return schemaFrom(target);
}

/** Every reference that stands in the schema, at any depth, each once. */
export function referencesIn(schema: JsonSchema): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (at: JsonSchema): void => {
    if (typeof at.$ref === "string") found.add(at.$ref);
    forEachSubschema(at, visit);
  };
  visit(schema);
  return found;
}

const recursiveOf = new WeakMap<Components, ReadonlySet<string>>();

/** Names of the components that contain themselves, directly or through others. */
export function recursiveComponents(components: Components): ReadonlySet<string> {
  const found = recursiveOf.get(components) ?? findRecursive(components);
  recursiveOf.set(components, found);
  return found;
}

function findRecursive(components: Components): ReadonlySet<string> {
  const next = new Map(
    Object.entries(components).map(([name, schema]) => [
      name,
      [...referencesIn(schema)].map((reference) => parseReference(reference).component),
    ]),
  );
  const reachesItself = (name: string): boolean => {
    const seen = new Set<string>();
    const pending = [...(next.get(name) ?? [])];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (at === name) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      pending.push(...(next.get(at) ?? []));
    }
    return false;
  };
  return new Set(Object.keys(components).filter(reachesItself));
}

function memberOf(json: Json | undefined, key: string): Json | undefined {
  if (isList(json)) return json[Number(key)];
  return isObject(json) && Object.hasOwn(json, key) ? json[key] : undefined;
}

const unescaped = (token: string): string =>
  /[%~]/.test(token) ? decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~") : token;
