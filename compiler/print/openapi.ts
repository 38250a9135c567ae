import { stringify } from "yaml";
import type { Contract } from "../contract.ts";
import { describedDocument } from "../publish/described-document.ts";
import { shareParts } from "../publish/share-parts.ts";
import type { Statuses } from "../publish/statuses.ts";
import { mainService } from "../service-of.ts";
import { hashBanner } from "./banner.ts";

/**
 * OpenAPI 3.1 documents by file name: of each service what every server keeps, and, where that leaves statuses open,
 * what the reference server answers beside it.
 */
export function printOpenApi(contract: Contract): readonly (readonly [file: string, text: string])[] {
  const main = mainService(contract).name;
  return contract.services.flatMap(({ name }) => {
    const prefix = name === main ? "" : `${name}.`;
    const [allowed, reference] = [document(contract, name, "allowed"), document(contract, name, "reference")];
    const files = [[`${prefix}openapi.yaml`, allowed]] as const;
    return allowed === reference ? files : [...files, [`${prefix}openapi.reference.yaml`, reference] as const];
  });
}

/** Error rows are the catalog of the contract, whether an operation names them or not. */
function document(contract: Contract, service: string, statuses: Statuses): string {
  const rows = contract.errors.filter((row) => row.service === service).map(({ name }) => name);
  const shown = shareParts(describedDocument(contract, service, statuses), new Set(rows));
  return hashBanner + stringify(shown, { aliasDuplicateObjects: false, lineWidth: 0 });
}
