import type { Bind } from "../../generated/runtime/binding.ts";
import type { Operation, OperationSchemas } from "../../generated/runtime/operation.ts";
import type { Refusal } from "../../generated/runtime/refusal.ts";
import type { Route } from "./exchange.ts";
import type { OperationValidators } from "./validation.ts";

/** Binds the handlers that are made of such parts by what was generated for their resource. */
export const boundTo =
  <Parts, Handlers, Caller>(
    bindAll: (handlers: Handlers, bind: Bind<Caller>) => void,
    handlers: (parts: Parts) => Handlers,
  ) =>
  (parts: Parts, bind: Bind<Caller>): void =>
    bindAll(handlers(parts), bind);

/** The routes that a generated binding binds, with what validates against their schemas. */
export function routesOf<Caller>(
  bindAll: (bind: Bind<Caller>) => void,
  validatorsOf: (operation: Operation, schemas: OperationSchemas) => OperationValidators,
): readonly Route<Caller>[] {
  const routes: Route<Caller>[] = [];
  function bind<Input, Data>(
    operation: Operation,
    schemas: OperationSchemas,
    handle: (input: Input, caller: Caller) => Promise<Data | Refusal>,
  ): void {
    routes.push({
      operation,
      schemas,
      validators: validatorsOf(operation, schemas),
      // The validators establish the shape that the generated binding declares for this handler.
      handle: (input, caller) => handle(input as Input, caller),
    });
  }
  bindAll(bind);
  return routes;
}
