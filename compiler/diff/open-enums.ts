import { openEnum } from "../../spec/vocabulary/extensions.ts";
import type { JsonSchema } from "../contract.ts";
import { forEachSubschema, mapSubschemas } from "../schema/keywords.ts";
import type { Components } from "../schema/resolve-reference.ts";
import type { Meant } from "./meant.ts";

/**
 * What a reader of the schema was told to expect: an open enum stands for any value of its type. Null where none is
 * open. Under `not`, and where alternatives of a `oneOf` come to overlap, this admits less than the schema itself; then
 * a new value is judged as if the enum were closed.
 */
export function asAnnounced({ schema, components }: Meant): Meant | null {
  const opened = openedComponents(components);
  if (opened === components && !hasOpenEnum(schema)) return null;
  return { schema: withoutOpenEnums(schema), components: opened };
}

const known = new WeakMap<Components, Components>();

/** The components with their open enums opened; themselves where none is. One value for each document, since verdicts are kept by it. */
function openedComponents(components: Components): Components {
  const found = known.get(components);
  if (found !== undefined) return found;
  const opened = Object.values(components).some(hasOpenEnum)
    ? Object.fromEntries(Object.entries(components).map(([name, schema]) => [name, withoutOpenEnums(schema)]))
    : components;
  known.set(components, opened);
  return opened;
}

function withoutOpenEnums(schema: JsonSchema): JsonSchema {
  const inner = mapSubschemas(schema, withoutOpenEnums);
  if (!isOpenEnum(inner)) return inner;
  const { enum: _, ...rest } = inner;
  return rest;
}

/** An open enum stands somewhere in the schema, references not followed. */
function hasOpenEnum(schema: JsonSchema): boolean {
  let found = isOpenEnum(schema);
  forEachSubschema(schema, (inner) => {
    found ||= hasOpenEnum(inner);
  });
  return found;
}

const isOpenEnum = (schema: JsonSchema): boolean => schema[openEnum] === true && schema.enum !== undefined;
