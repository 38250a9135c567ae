import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import type { JsonSchema } from "../contract.ts";

/** Where and how a value departs from a schema. */
export interface Violation {
  /** JSON Pointer into the value. */
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
}

export interface Validator {
  compile(schema: JsonSchema): (value: unknown) => readonly Violation[];
}

/** A validator for schemas whose `#/components/schemas/…` references point into `components`. */
export function validatorFor(components: Readonly<Record<string, JsonSchema>>): Validator {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  ajvFormats.default(ajv);
  return {
    compile(schema) {
      const validate = ajv.compile({ ...schema, components: { schemas: components } });
      return (value) => {
        validate(value);
        return (validate.errors ?? []).map((e) => ({ pointer: e.instancePath, keyword: e.keyword, message: e.message ?? "" }));
      };
    },
  };
}
