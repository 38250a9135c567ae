import { operationList } from "../../generated/operations.ts";
import type { JsonSchema } from "../../generated/runtime/json.ts";
import { timingSettings } from "./timing.ts";

/** What a target file may say. Texts of the form `${NAME}` stand for environment variables. */
export interface TargetFile {
  readonly base_url?: string;
  readonly key?: string;
  readonly other_key?: string;
  readonly session_token?: string;
  readonly revoked_key?: string;
  readonly sandbox?: { readonly base_url?: string; readonly token?: string };
  readonly implements?: readonly string[];
  readonly timing?: Readonly<Record<string, string | number>>;
  readonly hooks?: Readonly<Record<string, HookFile>>;
}

export interface HookFile {
  readonly command?: readonly string[];
  readonly url?: string;
  readonly module?: string;
  readonly export?: string;
}

const object = (description: string, properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  description,
  additionalProperties: false,
  properties,
  ...more,
});

const address = (description: string): JsonSchema => ({ type: "string", minLength: 1, maxLength: 2048, description });

const secret = (description: string): JsonSchema => ({
  type: "string",
  pattern: "^\\$\\{[A-Za-z_][A-Za-z0-9_]{0,127}\\}$",
  description: `${description} A reference to an environment variable, such as \${MY_KEY}; never the secret itself.`,
});

const hook = (description: string): JsonSchema =>
  object(
    `${description} A command, an address or a function of a module; JSON goes in and comes out.`,
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
    },
    { oneOf: [{ required: ["command"] }, { required: ["url"] }, { required: ["module", "export"] }] },
  );

const resources = [...new Set(operationList.filter((o) => o.service === "api").map((o) => o.resource))].sort();

/** The published schema of target files. */
export const targetSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Target of the conformance kit",
  ...object("An implementation under test: where it is, as whom to call it, and what it can arrange.", {
    base_url: address("Address of the implementation, without the version that the paths begin with."),
    key: secret("API key of the first organization, with as many scopes as there are."),
    other_key: secret("API key of a second organization."),
    session_token: secret("Token of a signed-in user of the first organization."),
    revoked_key: secret("A revoked key of the first organization."),
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
    hooks: object("Ways to arrange what a client cannot, for implementations without the sandbox API.", {
      revoke_key: hook("Revokes an API key."),
      new_organization: hook("Creates an organization and a key of it."),
      advance: hook("Moves an organization's time."),
    }),
  }),
};
