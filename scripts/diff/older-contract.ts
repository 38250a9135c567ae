import { contractFormat } from "../../compiler/contract.ts";

/** A change of the format gets its number here, and below what the older one lacks. */
const olderFormat = 5;

/**
 * A contract of the format before this one as one of this format: what the format did not have is empty, so that a
 * comparison calls it new and nothing gone. Any other value is handed back as it is.
 */
export function fromOlderFormat(value: object): object {
  const contract: Partial<Record<string, unknown>> = { ...value };
  if (contract.contractFormat !== olderFormat) return value;
  return {
    ...contract,
    contractFormat,
    rules: withEach(contract.rules, { demands: null }),
  };
}

const withEach = (items: unknown, lacking: object): unknown =>
  Array.isArray(items) ? items.map((item: unknown) => (isObject(item) ? { ...lacking, ...item } : item)) : items;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
