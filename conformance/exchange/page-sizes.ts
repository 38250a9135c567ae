import { resolveReference } from "../../compiler/schema/resolve-reference.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import { components, operationSchemas } from "../../generated/schemas.ts";
import { objectOf } from "./exchange.ts";

/** How many records a page of a list may be asked to hold, and holds where none is asked for. */
export interface PageSizes {
  readonly least: number;
  readonly greatest: number;
  readonly usual: number;
}

/** Null where the contract leaves open which sizes there are. */
export function pageSizesOf({ id, pageSize }: Pick<Operation, "id" | "pageSize">): PageSizes | null {
  const schemas = Object.entries(operationSchemas).find(([name]) => name === id)?.[1];
  const parameter = objectOf(objectOf(schemas?.query?.properties)?.[pageSize ?? ""]) ?? {};
  const named = typeof parameter.$ref === "string" ? resolveReference(parameter.$ref, components) : {};
  const { minimum: least, maximum: greatest, default: usual } = { ...named, ...parameter };
  return typeof least === "number" && typeof greatest === "number" && typeof usual === "number"
    ? { least, greatest, usual }
    : null;
}
