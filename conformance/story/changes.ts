import { operations } from "../../generated/operations.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import type { Step } from "./step.ts";

/** The contract's operations by their ids. */
export const operationsById: ReadonlyMap<string, Operation> = new Map(
  Object.values<Operation>(operations).map((operation) => [operation.id, operation]),
);

/** Whether an operation changes something; of one that the contract does not have nothing is known. */
export const isChanging = (operation: string): boolean => operationsById.get(operation)?.changes !== "nothing";

/** Whether a step is a call of the API that only reads. */
export const isRead = ({ through, operation, request }: Pick<Step, "through" | "operation" | "request">): boolean =>
  through === "api" && (request?.method === "GET" || (operation != null && !isChanging(operation)));
