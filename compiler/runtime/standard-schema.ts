import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonSchema } from "./json.ts";

/** A validator as Standard Schema (standardschema.dev), version 1, wants it: other libraries take it as it is. */
export interface StandardSchema<Value> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validated<Value>;
    readonly types?: { readonly input: Value; readonly output: Value };
  };
}

/** The value itself, or everything that is wrong with it. */
export type Validated<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

interface Issue {
  readonly message: string;
  /** Names of members and numbers of items on the way to what is wrong. */
  readonly path: readonly string[];
}

const prefix = "#/components/schemas/";

/** Makes validators of components by name; each is compiled when it is used first. */
export function standardSchemas(
  components: Readonly<Record<string, JsonSchema>>,
): <Value>(name: string) => StandardSchema<Value> {
  let engine: Ajv2020 | null = null;
  const compiled = (name: string): ValidateFunction => {
    // Annotations of OpenAPI are no keywords of JSON Schema, and ownProperties keeps inherited members out.
    engine ??= withFormats(new Ajv2020({ allErrors: true, strict: false, ownProperties: true, logger: false }));
    const id = `${documentId}${prefix}${name}`;
    if (engine.getSchema(documentId) === undefined)
      engine.addSchema({ components: { schemas: components } }, documentId);
    const found = engine.getSchema(id);
    if (found === undefined) throw new Error(`There is no component ${name}.`);
    return found;
  };
  return <Value>(name: string): StandardSchema<Value> => ({
    "~standard": {
      version: 1,
      vendor: "bylaw",
      validate(value) {
        const validate = compiled(name);
        return validate(value) === true ? { value: value as Value } : { issues: (validate.errors ?? []).map(issueOf) };
      },
    },
  });
}

/** Of no address: references within it are resolved against it, and nothing is fetched. */
const documentId = "urn:schema:components";

function withFormats(ajv: Ajv2020): Ajv2020 {
  addFormats.default(ajv);
  return ajv;
}

function issueOf({ instancePath, message = "is not valid", params }: ErrorObject): Issue {
  const at = instancePath.split("/").slice(1).map(unescaped);
  const missing: unknown = params.missingProperty;
  return { message, path: typeof missing === "string" ? [...at, missing] : at };
}

const unescaped = (token: string): string => token.replaceAll("~1", "/").replaceAll("~0", "~");
