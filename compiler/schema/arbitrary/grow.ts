import type fc from "fast-check";
import type { Json, JsonSchema } from "../json-schema.ts";

/** Makes the arbitrary of a subschema; null where no value can be had, or none within the depth that is left. */
export type Grow = (schema: JsonSchema) => fc.Arbitrary<Json> | null;
