import type { Json, JsonSchema } from "../contract.ts";
import { canonicalJson } from "../schema/canonical-json.ts";
import { parseReference } from "../schema/resolve-reference.ts";
import { enumerated, schemaMapAt, schemasAt, stringAt, stringsAt, typesOf } from "../schema/schema-node.ts";
import type { Meant } from "./judge.ts";
import { schemasAtPlace } from "./schema-walk.ts";

/** Keywords with one value each, which say by it what changed. */
const bounds: readonly string[] = [
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern", "format", "uniqueItems"],
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"],
];

/** Where a keyword of two schemas differs, and which of them refuses values by it. */
export interface Edited {
  readonly place: string;
  readonly keyword: string;
  readonly refusedBy: "base" | "head";
  readonly variance: "request" | "response";
}

/** What their author did to two schemas, in words: `maximum 10 → 5`. Null where it can't be told from the keyword alone. */
export function editText(base: Meant, head: Meant, { place, keyword, refusedBy, variance }: Edited): string | null {
  const at = (side: Meant, where: string): readonly JsonSchema[] => schemasAtPlace(side.schema, side.components, where);
  const [before, after] = [at(base, place), at(head, place)];
  if (bounds.includes(keyword)) return boundText(keyword, before, after);
  switch (keyword) {
    case "enum":
    case "const":
      return valuesText(before, after, refusedBy, variance);
    case "type":
      return typeText(before, after);
    case "anyOf":
    case "oneOf":
      return alternativesText(keyword, before, after);
    case "required":
    case "additionalProperties":
    case "unevaluatedProperties": {
      const [, parent = "", token = ""] = /^(.*)\/([^/]*)$/s.exec(place) ?? [];
      if (token === "" || token === "*") return null;
      const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
      const sides = { before: at(base, parent), after: at(head, parent) };
      return keyword === "required" ? requiredText(name, sides) : furtherText(name, sides);
    }
    default:
      return null;
  }
}

interface Sides {
  readonly before: readonly JsonSchema[];
  readonly after: readonly JsonSchema[];
}

/** Characters of a value that are shown. */
const shown = 60;

const text = (value: Json): string => {
  const written = typeof value === "string" ? JSON.stringify(value) : canonicalJson(value);
  return written.length > shown ? `${written.slice(0, shown)}…` : written;
};

function boundText(keyword: string, before: readonly JsonSchema[], after: readonly JsonSchema[]): string | null {
  const [old, now] = [before, after].map((schemas) => [
    ...new Set(schemas.flatMap((schema) => (schema[keyword] === undefined ? [] : [text(schema[keyword])]))),
  ]);
  if (old === undefined || now === undefined || old.length > 1 || now.length > 1) return null;
  return old[0] === now[0] ? null : `${keyword} ${old[0] ?? "none"} → ${now[0] ?? "none"}`;
}

/** Values named in a sentence. */
const mostNamed = 5;

function valuesText(
  before: readonly JsonSchema[],
  after: readonly JsonSchema[],
  refusedBy: Edited["refusedBy"],
  variance: Edited["variance"],
): string | null {
  const [old, now] = [before, after].map(
    (schemas) =>
      new Map(schemas.flatMap((schema) => enumerated(schema) ?? []).map((value) => [canonicalJson(value), value])),
  );
  if (old === undefined || now === undefined) return null;
  if (old.size === 0 || now.size === 0)
    return old.size === now.size ? null : `a list of values is ${now.size === 0 ? "gone" : "new"}`;
  const [from, to] = refusedBy === "head" ? [old, now] : [now, old];
  const values = [...from].filter(([key]) => !to.has(key)).map(([, value]) => text(value));
  if (values.length === 0) return null;
  const rest = values.length > mostNamed ? ` and ${values.length - mostNamed} more` : "";
  const named = `${values.slice(0, mostNamed).join(", ")}${rest}`;
  const [gone, come] =
    variance === "request" ? ["is taken no longer", "is taken now"] : ["is answered no longer", "may now be answered"];
  return `${named} ${refusedBy === "head" ? gone : come}`;
}

function typeText(before: readonly JsonSchema[], after: readonly JsonSchema[]): string | null {
  const [old, now] = [before, after].map((schemas) => [
    ...new Set(schemas.flatMap((schema) => (schema.type === undefined ? [] : typesOf(schema)))),
  ]);
  if (old === undefined || now === undefined) return null;
  const [from, to] = [old, now].map((types) => (types.length === 0 ? "any" : [...types].sort().join(" or ")));
  return from === to ? null : `type ${from} → ${to}`;
}

function alternativesText(keyword: string, before: readonly JsonSchema[], after: readonly JsonSchema[]): string | null {
  const [old, now] = [before, after].map((schemas) =>
    schemas.flatMap((schema) => schemasAt(schema, keyword)).flatMap(named),
  );
  const gone = old?.filter((name) => now?.includes(name) !== true) ?? [];
  const come = now?.filter((name) => old?.includes(name) !== true) ?? [];
  const told = [
    ...(gone.length > 0 ? [`without ${gone.join(", ")}`] : []),
    ...(come.length > 0 ? [`with ${come.join(", ")}`] : []),
  ];
  return told.length === 0 ? null : `${keyword} ${told.join(", ")}`;
}

function named(branch: JsonSchema): readonly string[] {
  const reference = stringAt(branch, "$ref");
  if (reference !== undefined) return [parseReference(reference).component];
  return typeof branch.type === "string" && Object.keys(branch).length === 1 ? [branch.type] : [];
}

const names = (schemas: readonly JsonSchema[], name: string): boolean =>
  schemas.some((schema) => schemaMapAt(schema, "properties").has(name));

const requires = (schemas: readonly JsonSchema[], name: string): boolean =>
  schemas.some((schema) => stringsAt(schema, "required").includes(name));

function requiredText(name: string, { before, after }: Sides): string | null {
  const [was, is] = [requires(before, name), requires(after, name)];
  if (was === is) return null;
  const property = JSON.stringify(name);
  if (is) return names(before, name) ? `property ${property} made required` : `required property ${property} added`;
  return names(after, name) ? `property ${property} made optional` : `required property ${property} removed`;
}

function furtherText(name: string, { before, after }: Sides): string {
  const [was, is] = [names(before, name), names(after, name)];
  const property = JSON.stringify(name);
  if (was !== is) return `property ${property} ${is ? "added" : "removed"}`;
  const isClosed = (schemas: readonly JsonSchema[]): boolean =>
    schemas.some((schema) => schema.additionalProperties === false || schema.unevaluatedProperties === false);
  return isClosed(after) ? "other properties refused" : "other properties admitted";
}
