import type { JsonSchema } from "../contract.ts";
import type { Components } from "../schema/resolve-reference.ts";

/** A schema with the components that it refers to. */
export interface Meant {
  readonly schema: JsonSchema;
  readonly components: Components;
}
