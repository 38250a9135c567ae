import type { Contract, JsonSchema, OpenApiResponse, Operation } from "../../compiler/contract.ts";
import { mainService } from "../../compiler/service-of.ts";
import { alternatives, limitedTo, member } from "./schema-shape.ts";

/** One status of one operation of the API, as its OpenAPI document shows it. */
interface Answer {
  readonly route: string;
  readonly operation: Operation;
  readonly status: string;
  readonly response: OpenApiResponse;
  /** Empty when the answer has no JSON body. */
  readonly schema: JsonSchema;
}

/** One alternative of an answer that is no success: the whole body, its `error` member, its status and code. */
interface ErrorAnswer {
  readonly route: string;
  readonly pair: string;
  readonly schema: JsonSchema;
  readonly error: JsonSchema;
}

/** Method and path as the API document writes them. */
export function routeOf(operation: Operation): string {
  return `${operation.method.toUpperCase()} ${operation.path}`;
}

export function answersOf(contract: Contract): readonly Answer[] {
  return contract.operations
    .filter((operation) => operation.service === "api")
    .flatMap((operation) => {
      const responses = mainService(contract).document.paths[operation.path]?.[operation.method]?.responses ?? {};
      return Object.entries(responses).map(([status, response]) => ({
        route: routeOf(operation),
        operation,
        status,
        response,
        schema: response.content?.["application/json"]?.schema ?? {},
      }));
    });
}

export function errorAnswersOf(contract: Contract): readonly ErrorAnswer[] {
  return answersOf(contract)
    .filter(({ status }) => !status.startsWith("2"))
    .flatMap(({ route, status, schema: body }) =>
      alternatives(mainService(contract).document, body).flatMap((schema) => {
        const error = member(mainService(contract).document, schema, "error") ?? {};
        const codes = limitedTo(
          mainService(contract).document,
          member(mainService(contract).document, error, "code") ?? {},
        ) ?? ["any code"];
        return codes.map((code) => ({ route, pair: `${status.replace("XX", "xx")} ${String(code)}`, schema, error }));
      }),
    );
}
