import type {
  ErrorRow,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiResponse,
  Operation,
  ServiceName,
} from "./contract.ts";

/** The emitter's document with the contract's operation ids, and with every error row of an answer described. */
export function completeDocument(
  document: OpenApiDocument,
  service: ServiceName,
  operations: readonly Operation[],
  errors: readonly ErrorRow[],
): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const methods = Object.entries(item).map(([method, operation]): [string, OpenApiOperation] => {
      const ours = operations.find((o) => o.service === service && o.path === path && o.method === method);
      return [method, ours ? complete(operation, ours, errors) : operation];
    });
    return [path, Object.fromEntries(methods)] as const;
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

function complete(operation: OpenApiOperation, ours: Operation, errors: readonly ErrorRow[]): OpenApiOperation {
  const rows = ours.errors.flatMap((name) => errors.find((row) => row.name === name) ?? []);
  const responses = Object.entries(operation.responses).map(([status, response]): [string, OpenApiResponse] => {
    const causes = rows.filter((row) => String(row.status) === status).map((row) => `\`${row.code}\`: ${row.when}.`);
    return [status, causes.length > 0 ? { ...response, description: causes.join(" ") } : response];
  });
  return { ...operation, operationId: ours.id, responses: Object.fromEntries(responses) };
}
