import type { JsonSchema } from "../../generated/runtime/json.ts";
import type { HookDefinition, MemberSchema, Members } from "./requirement.ts";

/** What hooks get and answer, as JSON Schema with a definition for each: `<hook>.input` and `<hook>.answer`. */
export const hookSchemas = (hooks: readonly HookDefinition[]): JsonSchema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Hooks of the conformance kit",
  $defs: Object.fromEntries(
    hooks.flatMap(({ name, says, input, answer }) => [
      [`${name}.input`, schemaOf(`What the hook ${name} gets besides hook and base_url. ${says}`, input)],
      [`${name}.answer`, schemaOf(`What the hook ${name} answers.`, answer)],
    ]),
  ),
});

/** An object with these members, and perhaps more. */
export const schemaOf = (description: string, { properties, optional = [] }: Members): JsonSchema => ({
  type: "object",
  description,
  properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, memberSchema(schema)])),
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

/** A member's schema as JSON has it. */
export const memberSchema = ({ items, ...schema }: MemberSchema): JsonSchema => ({
  ...schema,
  ...(items === undefined ? {} : { items: memberSchema(items) }),
});
