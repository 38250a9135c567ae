import type { JsonSchema } from "../contract.ts";
import { forEachSubschema, mapSubschemas } from "../schema/keywords.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { schemaMapAt, schemasAt, stringAt, without } from "../schema/schema-node.ts";
import { targetOf } from "./schema-walk.ts";

/** Schemas that are followed into each other on the way to the names of one. */
const mostLevels = 12;

/** Schemas of a document as they are meant that are put together of closed ones. */
export interface ClosedTogether {
  readonly components: Components;
  readonly read: (schema: JsonSchema) => JsonSchema;
}

/**
 * By the letter a part of an `allOf` that is closed refuses what the other parts name, so that nothing is admitted of which
 * another part has to be there. Who writes so means that all of them together are closed. A reference beside which more is said
 * is such a part. What is put together otherwise stays what it is, by identity.
 */
export function closedTogether(components: Components): ClosedTogether {
  const read = (schema: JsonSchema): JsonSchema => together(schema, components);
  if (!Object.values(components).some((schema) => mayBeTogether(schema))) return { components, read };
  const made = Object.entries(components).map(([name, schema]) => [name, read(schema)] as const);
  return { components: Object.fromEntries(made), read };
}

/** Asked of a schema, and then of each within it. */
const togetherKnown = new WeakMap<JsonSchema, boolean>();

/** Whether a schema has parts, or more beside a reference, in itself or anywhere within. */
function mayBeTogether(schema: JsonSchema): boolean {
  const known = togetherKnown.get(schema);
  if (known !== undefined) return known;
  let may = schema.allOf !== undefined || (schema.$ref !== undefined && Object.keys(schema).length > 1);
  if (!may)
    forEachSubschema(schema, (part) => {
      may ||= mayBeTogether(part);
    });
  togetherKnown.set(schema, may);
  return may;
}

function together(schema: JsonSchema, components: Components): JsonSchema {
  if (!mayBeTogether(schema)) return schema;
  const inner = mapSubschemas(schema, (part, keyword) => (keyword === "not" ? part : together(part, components)));
  const reference = stringAt(inner, "$ref");
  if (inner.allOf === undefined && (reference === undefined || Object.keys(inner).length === 1)) return inner;
  const written = [...schemasAt(inner, "allOf"), ...(reference === undefined ? [] : [{ $ref: reference }])];
  const parts = written.map((part) => partOf(part, components, 0));
  const own = { isClosed: isClosed(inner), names: [...schemaMapAt(inner, "properties").keys()] };
  const all = new Set([own, ...parts].flatMap(({ names }) => names));
  const isContrary = [own, ...parts].some((one) => one.isClosed && [...all].some((name) => !one.names.includes(name)));
  if (!isContrary) return inner;
  const rest = without(inner, "additionalProperties", "unevaluatedProperties", "$ref");
  return { ...rest, allOf: parts.map(({ opened }) => opened), unevaluatedProperties: false };
}

interface Part {
  /** The part without its closing; a component that is not closed stays a reference. */
  readonly opened: JsonSchema;
  readonly isClosed: boolean;
  readonly names: readonly string[];
}

function partOf(schema: JsonSchema, components: Components, level: number): Part {
  const target = targetOf(stringAt(schema, "$ref"), components)?.schema;
  if (level >= mostLevels) return { opened: schema, isClosed: false, names: [] };
  if (target !== undefined && Object.keys(schema).length === 1) {
    const found = partOf(target, components, level + 1);
    return found.isClosed ? found : { ...found, opened: schema };
  }
  const parts = schemasAt(schema, "allOf").map((part) => partOf(part, components, level + 1));
  const closed = isClosed(schema) || parts.some((part) => part.isClosed);
  const names = [...schemaMapAt(schema, "properties").keys(), ...parts.flatMap((part) => part.names)];
  if (!closed) return { opened: schema, isClosed: false, names };
  const open = without(without(schema, "additionalProperties"), "unevaluatedProperties");
  const opened = schema.allOf === undefined ? open : { ...open, allOf: parts.map((part) => part.opened) };
  return { opened, isClosed: true, names };
}

const isClosed = ({ additionalProperties, unevaluatedProperties }: JsonSchema): boolean =>
  additionalProperties === false || unevaluatedProperties === false;
