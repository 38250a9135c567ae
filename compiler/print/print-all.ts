import type { Contract } from "../contract.ts";
import { printChoices } from "./choices.ts";
import { printClient } from "./client.ts";
import { printConstants } from "./constants.ts";
import { printContractJson } from "./contract-json.ts";
import { printDelivery } from "./delivery.ts";
import { printEnvelopes } from "./envelopes.ts";
import { printErrorRows } from "./error-rows.ts";
import { printEvents } from "./events.ts";
import { printInputs } from "./inputs.ts";
import { printLimits } from "./limits.ts";
import { printModels, printSharedModels } from "./models.ts";
import { printNames } from "./names.ts";
import { printOpenApi } from "./openapi.ts";
import { printAllOperations, printOperations } from "./operations.ts";
import { printReference } from "./reference.ts";
import { resourcesOf } from "./resource.ts";
import { areasOf, printAllRules, printRules } from "./rules.ts";
import { printRuntime } from "./runtime.ts";
import { printAllSchemas, printSchemas, printSharedSchemas } from "./schemas.ts";
import { printScopes } from "./scopes.ts";
import { printServerBinding } from "./server-binding.ts";
import { printStates } from "./states.ts";
import { printValidators } from "./validators.ts";

/** Every file of `generated/`: path relative to it → content. The same contract gives the same bytes. */
export function printAll(contract: Contract): ReadonlyMap<string, string> {
  const all = resourcesOf(contract);
  const delivery = printDelivery(contract);
  return new Map<string, string>([
    ...printOpenApi(contract),
    ["contract.json", printContractJson(contract)],
    ["operations.ts", printAllOperations(all)],
    ["schemas.ts", printAllSchemas(all)],
    ["validators.ts", printValidators(all)],
    ["envelopes.ts", printEnvelopes(contract)],
    ["error-rows.ts", printErrorRows(contract)],
    ["limits.ts", printLimits(contract)],
    ["scopes.ts", printScopes(contract)],
    ["events.ts", printEvents(contract)],
    ...(delivery === null ? [] : [["delivery.ts", delivery] as const]),
    ["states.ts", printStates(contract)],
    ["constants.ts", printConstants(contract)],
    ["choices.ts", printChoices(contract)],
    ["rules.ts", printAllRules(contract)],
    ["models/shared.ts", printSharedModels(all)],
    ["schemas/shared.ts", printSharedSchemas(all)],
    ...areasOf(contract).map((area) => [`rules/${area.toLowerCase()}.ts`, printRules(contract, area)] as const),
    ...all.resources.flatMap((resource) => [
      [`operations/${resource.name}.ts`, printOperations(resource)] as const,
      [`models/${resource.name}.ts`, printModels(resource, all)] as const,
      [`schemas/${resource.name}.ts`, printSchemas(resource)] as const,
      [`inputs/${resource.name}.ts`, printInputs(resource, all)] as const,
      [`server/${resource.name}.ts`, printServerBinding(resource, all)] as const,
      [`client/${resource.name}.ts`, printClient(resource, all)] as const,
      [`reference/${resource.name}.md`, printReference(contract, resource)] as const,
    ]),
    ...printRuntime(),
    ["runtime/names.ts", printNames(contract)],
  ]);
}
