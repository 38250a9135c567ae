import type {
  ErrorRow,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
  Operation,
  ServiceName,
} from "./contract.ts";

/**
 * The emitter's document with the contract's operation ids, with every error row of an answer described, and with
 * every parameter where it is used: what reads a contract finds all of an operation in one place.
 */
export function completeDocument(
  document: OpenApiDocument,
  service: ServiceName,
  operations: readonly Operation[],
  errors: readonly ErrorRow[],
): OpenApiDocument {
  const { parameters = {}, ...components } = document.components as OpenApiDocument["components"] & {
    readonly parameters?: NamedParameters;
  };
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const methods = Object.entries(item).map(([method, operation]): [string, OpenApiOperation] => {
      const ours = operations.find((o) => o.service === service && o.path === path && o.method === method);
      const inline = operation.parameters
        ? { ...operation, parameters: operation.parameters.map((p) => inlined(p, parameters)) }
        : operation;
      return [method, ours ? complete(inline, ours, errors) : inline];
    });
    return [path, Object.fromEntries(methods)] as const;
  });
  return { ...document, paths: Object.fromEntries(paths), components };
}

type NamedParameters = Readonly<Record<string, OpenApiParameter>>;

/** The emitter names the parameters of a model that operations spread, and refers to them. */
function inlined(parameter: OpenApiParameter, named: NamedParameters): OpenApiParameter {
  if (!("$ref" in parameter) || typeof parameter.$ref !== "string") return parameter;
  const name = parameter.$ref.slice("#/components/parameters/".length);
  const found = named[name];
  if (found === undefined) throw new Error(`The emitted document has no parameter ${name}.`);
  return found;
}

function complete(operation: OpenApiOperation, ours: Operation, errors: readonly ErrorRow[]): OpenApiOperation {
  const rows = ours.errors.flatMap((name) => errors.find((row) => row.name === name) ?? []);
  const responses = Object.entries(operation.responses).map(([status, response]): [string, OpenApiResponse] => {
    const causes = rows.filter((row) => responseKey(row) === status).map((row) => `\`${row.code}\`: ${row.when}.`);
    return [status, causes.length > 0 ? { ...response, description: causes.join(" ") } : response];
  });
  const key = ours.idempotencyHeader === null ? [] : [idempotencyKey(ours.idempotencyHeader)];
  const parameters = [...(operation.parameters ?? []), ...key];
  return {
    ...operation,
    operationId: ours.id,
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: Object.fromEntries(responses),
  };
}

/** Under which key a document has the answers of a row: the emitter writes a range of statuses as its class. */
function responseKey({ status }: ErrorRow): string {
  return typeof status === "number" ? String(status) : `${Math.floor(status.from / 100)}XX`;
}

const idempotencyKey = (name: string): OpenApiParameter => ({
  name,
  in: "header",
  required: false,
  description: "Chosen by the client: a retry with the same value returns the first result.",
  schema: { type: "string", minLength: 1 },
});
