import type { Json, JsonSchema } from "../../generated/runtime/json.ts";
import { components } from "../../generated/schemas.ts";
import type { HookDefinition, MemberSchema, Members, OrganizationSetting } from "./requirement.ts";

/** What hooks get and answer, as JSON Schema with a definition for each: `<hook>.input` and `<hook>.answer`. */
export const hookSchemas = (hooks: readonly HookDefinition[]): JsonSchema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Hooks of the conformance kit",
  $defs: Object.fromEntries(
    hooks.flatMap(({ name, says, input, settings, answer }) => [
      [`${name}.input`, schemaOf(`What the hook ${name} gets besides hook and base_url. ${says}`, input, settings)],
      [`${name}.answer`, schemaOf(`What the hook ${name} answers.`, answer)],
    ]),
  ),
});

/** An object with these members, and perhaps more. */
export function schemaOf(
  description: string,
  { properties, optional = [] }: Members,
  settings: HookDefinition["settings"] = [],
): JsonSchema {
  const members = Object.entries(properties).map(([name, schema]) => [name, memberSchema(schema)] as const);
  return {
    type: "object",
    description,
    properties: {
      ...Object.fromEntries(members),
      ...(settings.length === 0 ? {} : { settings: settingsSchema(settings, properties.settings?.description ?? "") }),
    },
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}

/** Settings as a sandbox is asked for them. */
const settingsSchema = (settings: readonly OrganizationSetting[], description: string): JsonSchema => ({
  type: "object",
  description,
  properties: Object.fromEntries(settings.map(({ name }) => [name, settingSchema(name)])),
});

/** The generated schema of one, with all that it refers to. */
export function settingSchema(name: OrganizationSetting["name"]): JsonSchema {
  const { properties } = components.OrganizationRequest ?? {};
  const schema = isObject(properties) ? inlined(properties[name] ?? null) : null;
  if (!isObject(schema)) throw new Error(`The sandbox's OrganizationRequest has no member ${name}.`);
  return schema;
}

function inlined(value: Json): Json {
  if (Array.isArray(value)) return value.map(inlined);
  if (!isObject(value)) return value;
  const { $ref, ...rest } = value;
  const own = Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, inlined(member)]));
  if (typeof $ref !== "string") return own;
  const whole = inlined(components[$ref.slice("#/components/schemas/".length)] ?? null);
  return { ...(isObject(whole) ? whole : {}), ...own };
}

function isObject(value: Json | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member's schema as JSON has it. */
export const memberSchema = ({ items, ...schema }: MemberSchema): JsonSchema => ({
  ...schema,
  ...(items === undefined ? {} : { items: memberSchema(items) }),
});
