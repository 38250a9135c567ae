import { contractFormat } from "../../compiler/contract.ts";

/**
 * A contract of the format before this one as one of this format: what the format did not have is empty, so that a
 * comparison calls it new and nothing gone. Any other value is handed back as it is.
 */
export function fromOlderFormat(value: object): object {
  const contract: Partial<Record<string, unknown>> = { ...value };
  if (contract.contractFormat !== 2) return value;
  return {
    ...contract,
    contractFormat,
    constants: [],
    services: withEach(contract.services, { basePath: "/" }),
    bounds: withEach(contract.bounds, { summary: "" }),
  };
}

const withEach = (items: unknown, lacking: object): unknown =>
  Array.isArray(items) ? items.map((item: unknown) => (isObject(item) ? { ...lacking, ...item } : item)) : items;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
