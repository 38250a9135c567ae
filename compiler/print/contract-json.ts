import type { Contract, Place } from "../contract.ts";

/**
 * The whole contract as JSON. Places keep their file only: line numbers would change in every entry below an edit,
 * and a rule's line is found by its id.
 */
export function printContractJson(contract: Contract): string {
  return `${JSON.stringify(contract, (key, value: unknown) => (key === "place" && isPlace(value) ? { file: value.file } : value), 2)}\n`;
}

const isPlace = (value: unknown): value is Place =>
  typeof value === "object" && value !== null && "file" in value && "line" in value;
