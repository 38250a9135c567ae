import type { Contract, JsonSchema, OpenApiParameter, Operation } from "../../compiler/contract.ts";
import { mainService } from "../../compiler/service-of.ts";
import { answersOf, routeOf } from "./answers.ts";
import { member } from "./schema-shape.ts";

/** One operation as the contract declares it, with what its OpenAPI document shows of it. */
interface DeclaredOperation {
  readonly operation: Operation;
  readonly parameters: readonly OpenApiParameter[];
  /** Null when the operation takes no body. */
  readonly body: { readonly schema: JsonSchema; readonly required: boolean } | null;
  /** Body of the success, then its `data`; empty where the contract shows none. */
  readonly success: JsonSchema;
  readonly data: JsonSchema;
}

export function declaredOperation(contract: Contract, route: string): DeclaredOperation {
  const operation = contract.operations.find((one) => one.service === "api" && routeOf(one) === route);
  if (operation === undefined) throw new Error(`The contract has no operation ${route}.`);
  const shown = mainService(contract).document.paths[operation.path]?.[operation.method];
  const schema = shown?.requestBody?.content["application/json"]?.schema;
  const answer = answersOf(contract).find((one) => one.route === route && one.status.startsWith("2"));
  const success = answer?.schema ?? {};
  return {
    operation,
    parameters: shown?.parameters ?? [],
    body: schema === undefined ? null : { schema, required: shown?.requestBody?.required === true },
    success,
    data: member(mainService(contract).document, success, "data") ?? {},
  };
}
