import { stringify } from "yaml";
import type { Contract, ServiceName } from "../contract.ts";
import { serviceOf } from "../service-of.ts";
import { hashBanner } from "./banner.ts";

/** One service's OpenAPI 3.1 document. */
export function printOpenApi(contract: Contract, service: ServiceName): string {
  const { document } = serviceOf(contract, service);
  return hashBanner + stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}
