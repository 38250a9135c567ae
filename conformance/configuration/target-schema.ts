import { type OperationId, operationList, operations } from "../../generated/operations.ts";
import type { JsonSchema } from "../../generated/runtime/json.ts";
import { hookDefinitions, secretDefinitions } from "../arrangements/all.ts";
import type { HookDefinition } from "../arrangements/requirement.ts";
import { dispensableFields, mappableFields } from "../target/mappable-fields.ts";
import { type GivenNumbers, numberParts } from "../target/phone-numbers.ts";
import type { Constant, ExtraValues } from "../target/shapes.ts";
import { timingSettings } from "../target/timing.ts";

/** What a target file may say. Texts of the form `${NAME}` stand for environment variables. */
export interface TargetFile {
  readonly base_url?: string;
  readonly key?: string;
  readonly sandbox?: { readonly base_url?: string; readonly token?: string };
  readonly implements?: readonly string[];
  readonly timing?: Readonly<Record<string, string | number>>;
  readonly hooks?: Readonly<Record<string, HookFile>>;
  readonly receiver?: {
    readonly listen?: string | number;
    readonly public_url?: string;
    readonly tls?: { readonly cert: string; readonly key: string };
  };
  readonly shapes?: Readonly<Record<string, ShapeFile>>;
  readonly numbers?: GivenNumbers;
}

/** Our fields to their places; null for one that there is none for. */
export interface ShapeFile {
  readonly request?: Readonly<Record<string, string | null>>;
  readonly constants?: Readonly<Record<string, Constant>>;
  readonly extra?: Readonly<Record<string, ExtraValues>>;
  readonly response?: Readonly<Record<string, string | null>>;
}

export interface HookFile {
  readonly command?: readonly string[];
  readonly url?: string;
  readonly module?: string;
  readonly export?: string;
  readonly settings?: readonly string[];
}

const object = (description: string, properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  description,
  additionalProperties: false,
  properties,
  ...more,
});

const address = (description: string): JsonSchema => ({ type: "string", minLength: 1, maxLength: 2048, description });

/** What a secret looks like in a target file. */
export const secretPattern = "^\\$\\{[A-Za-z_][A-Za-z0-9_]{0,127}\\}$";

const secret = (description: string): JsonSchema => ({
  type: "string",
  pattern: secretPattern,
  description: `${description} A reference to an environment variable, such as \${MY_KEY}; never the secret itself.`,
});

const hook = ({ says, settings = [] }: HookDefinition): JsonSchema =>
  object(
    `${says} A command, an address or a function of a module; JSON goes in and comes out.`,
    {
      command: {
        type: "array",
        minItems: 1,
        maxItems: 64,
        items: { type: "string", maxLength: 4096 },
        description: "Program and arguments; no shell. Reads JSON on standard input and prints JSON.",
      },
      url: address("Address to which JSON is posted."),
      module: {
        type: "string",
        minLength: 1,
        maxLength: 4096,
        description: "File of a module, relative to this file.",
      },
      export: { type: "string", minLength: 1, maxLength: 128, description: "Name of the module's function." },
      ...(settings.length === 0
        ? {}
        : {
            settings: {
              type: "array",
              uniqueItems: true,
              items: { type: "string", enum: settings.map(({ name }) => name) },
              description: "What it can set of an organization that it creates; it is asked for nothing else.",
            },
          }),
    },
    { oneOf: [{ required: ["command"] }, { required: ["url"] }, { required: ["module", "export"] }] },
  );

const file = (description: string): JsonSchema => ({ type: "string", minLength: 1, maxLength: 4096, description });

/**
 * A group of optional paths, one for each field; left out where there are none. Those that `mayLack` names may be null.
 */
const paths = (
  name: string,
  fields: readonly string[],
  pattern: string,
  description: string,
  mayLack: readonly string[] = [],
): JsonSchema =>
  fields.length === 0
    ? {}
    : {
        [name]: object(
          description,
          Object.fromEntries(
            fields.map((field) => [
              field,
              {
                type: mayLack.includes(field) ? ["string", "null"] : "string",
                pattern,
                maxLength: 512,
                description: `Where ${field} is: names with dots between them${mayLack.includes(field) ? "; null where there is no such thing" : ""}.`,
              },
            ]),
          ),
        ),
      };

const dotted = "[^.\\s]+(?:\\.[^.\\s]+)*";

const scalar: JsonSchema = { type: ["string", "number", "boolean"], description: "A text, a number or a boolean." };

/** What a target wants in each request besides. */
const constants: JsonSchema = {
  type: "object",
  description:
    "What each request holds besides, by where the target has it: names with dots between them, a star each place in a list.",
  propertyNames: { pattern: `^${dotted}$`, maxLength: 512 },
  maxProperties: 64,
  additionalProperties: {
    description: "A text, a number, a boolean, or a list of these.",
    type: ["string", "number", "boolean", "array"],
    maxItems: 64,
    items: scalar,
  },
};

/** Further properties that an update of a target can set. */
const extra: JsonSchema = {
  type: "object",
  description:
    "Your own properties of this update: names with dots between them, each with two different values that your server accepts.",
  propertyNames: { pattern: `^${dotted}$`, maxLength: 512 },
  maxProperties: 64,
  additionalProperties: {
    description: "Two different values that your server accepts: texts, numbers or booleans.",
    type: "array",
    minItems: 2,
    maxItems: 2,
    uniqueItems: true,
    items: scalar,
  },
};

/** Returns true if the operation updates what exists, by its method. */
const isUpdate = (operation: string): boolean => ["PATCH", "PUT"].includes(operations[operation as OperationId].method);

const shapes = Object.fromEntries(
  Object.entries(mappableFields).map(([operation, { request, response }]) => [
    operation,
    object(`Shapes of ${operation}.`, {
      ...paths(
        "request",
        request,
        `^${dotted}$`,
        "Fields of the contract's body, and its query parameters, to where the target wants them.",
        dispensableFields[operation as OperationId],
      ),
      ...(request.length === 0 ? {} : { constants }),
      ...(isUpdate(operation) ? { extra } : {}),
      ...paths(
        "response",
        response,
        `^(?:\\.|${dotted})$`,
        "Fields of the contract's data to where the target's has them; a single dot is data itself, a star each place in a list.",
        response,
      ),
    }),
  ]),
);

/** A phone number, E.164. */
export const phonePattern = "^\\+[1-9][0-9]{6,14}$";

const numbers = Object.fromEntries(
  numberParts.map(({ name, says, numbers: { length } }) => [
    name,
    {
      type: "array",
      minItems: length,
      maxItems: length,
      uniqueItems: true,
      items: { type: "string", pattern: phonePattern, description: "A phone number, E.164, in quotes." },
      description: `${says} ${length === 1 ? "One number" : `${length} numbers`}, E.164, in quotes.`,
    },
  ]),
);

const resources = [...new Set(operationList.filter((o) => o.service === "api").map((o) => o.resource))].sort();

/** The published schema of target files. */
export const targetSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Target of the conformance kit",
  ...object("An implementation under test: where it is, as whom to call it, and what it can arrange.", {
    base_url: address("Address of the implementation, without the version that the paths begin with."),
    key: secret("API key of the first organization, with as many scopes as there are."),
    ...Object.fromEntries(secretDefinitions.map(({ setting, says }) => [setting, secret(says)])),
    sandbox: object("The sandbox API, which arranges what a client cannot.", {
      base_url: address("Address of the sandbox; that of the implementation when left out."),
      token: secret("Token with which the server was started."),
    }),
    implements: {
      type: "array",
      minItems: 1,
      uniqueItems: true,
      items: { type: "string", enum: resources },
      description: "Resources that the implementation serves; all when left out.",
    },
    timing: object(
      "Bounds of time, such as 500ms, 10s or 2m; a bare number counts seconds.",
      Object.fromEntries(
        timingSettings.map(({ name, says }) => [name, { type: ["string", "number"], description: says }]),
      ),
    ),
    hooks: object(
      "Ways to arrange what a client cannot, and to judge what the kit cannot.",
      Object.fromEntries(hookDefinitions.map((definition) => [definition.name, hook(definition)])),
    ),
    receiver: object("The kit's own server, to which the implementation delivers events.", {
      listen: {
        type: ["string", "number"],
        description: "Host and port to listen on, such as 127.0.0.1:9100; port 0 takes any that is free.",
      },
      public_url: address("Address under which the implementation reaches it; that on which it listens when left out."),
      tls: object(
        "Serves HTTPS with this certificate.",
        { cert: file("PEM file, relative to this file."), key: file("PEM file of its private key, unencrypted.") },
        { required: ["cert", "key"] },
      ),
    }),
    shapes: object("Where the implementation has what the document does not show, by operation.", shapes),
    numbers: object(
      "Phone numbers that are sent to and looked up, where your carrier takes none of +1 … 555-01XX, which are for use in fiction.",
      numbers,
    ),
  }),
};
