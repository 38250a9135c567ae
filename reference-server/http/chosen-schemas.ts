import type { Choices } from "../../generated/choices.ts";
import type { Operation, OperationSchemas } from "../../generated/runtime/operation.ts";
import { chosen } from "./chosen.ts";

/** The schemas as the choices leave them: what the reference demands beyond the contract may be dropped. */
export function chosenSchemas(operation: Operation, schemas: OperationSchemas, choices: Choices): OperationSchemas {
  const dropped = operation.requiredBy.filter(({ option }) => !chosen(choices, option).isReference);
  if (dropped.length === 0 || schemas.referenceBody === null) return schemas;
  const pointers = new Set(dropped.map(({ pointer }) => pointer));
  const { required, ...referenceBody } = schemas.referenceBody;
  const left = Array.isArray(required) ? required.filter((name) => !pointers.has(`/${name}`)) : [];
  return { ...schemas, referenceBody: { ...referenceBody, ...(left.length > 0 ? { required: left } : {}) } };
}
