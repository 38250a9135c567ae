import type { Operation, OperationSchemas } from "./operation.ts";
import type { Refusal } from "./refusal.ts";

/**
 * Puts one operation on a server: the server decides what happens around the handler, the binding which
 * operation, schemas and handler belong together.
 */
export type Bind<Caller> = <Input, Data>(
  operation: Operation,
  schemas: OperationSchemas,
  handle: (input: Input, caller: Caller) => Promise<Data | Refusal>,
) => void;
