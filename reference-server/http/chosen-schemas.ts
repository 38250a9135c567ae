import type { Choices } from "../../generated/choices.ts";
import type { Operation, OperationSchemas } from "../../generated/runtime/operation.ts";

/** The schemas as the choices leave them: what the reference demands beyond the contract may be dropped. */
export function chosenSchemas(operation: Operation, schemas: OperationSchemas, choices: Choices): OperationSchemas {
  if (operation.id !== "createApiKey" || choices.labelRule === "required" || schemas.referenceBody === null)
    return schemas;
  const { required: _, ...referenceBody } = schemas.referenceBody;
  return { ...schemas, referenceBody };
}
