import type {
  Contract,
  Json,
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  Operation,
} from "../contract.ts";

/** An operation together with its entry in the OpenAPI document. */
export interface DescribedOperation {
  readonly operation: Operation;
  readonly described: OpenApiOperation;
}

/** One resource: its operations, and the component schemas that only they use. */
export interface Resource {
  readonly name: string;
  /** PascalCase form of the name. */
  readonly typeName: string;
  /** camelCase form of the name. */
  readonly valueName: string;
  readonly operations: readonly DescribedOperation[];
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/** The contract's operations by resource, and the component schemas that several resources use. */
export interface Resources {
  readonly resources: readonly Resource[];
  readonly shared: Readonly<Record<string, JsonSchema>>;
}

/** Groups operations by resource and gives each component schema to its only user, or to all. */
export function resourcesOf(contract: Contract): Resources {
  const components: Record<string, JsonSchema> = {
    ...contract.sandbox.components.schemas,
    ...contract.api.components.schemas,
  };
  const names = [...new Set(contract.operations.map((o) => o.resource))];
  const users = new Map<string, Set<string>>();
  const grouped = names.map((name) => {
    const operations = contract.operations
      .filter((o) => o.resource === name)
      .map((operation) => ({ operation, described: describe(documentOf(contract, operation), operation) }));
    const reached = new Set<string>();
    for (const { described } of operations)
      for (const schema of shapesOf(described)) reach(schema, components, reached);
    for (const component of reached) users.set(component, (users.get(component) ?? new Set()).add(name));
    return { name, typeName: pascal(name), valueName: camel(name), operations };
  });
  const pick = (wanted: (users: ReadonlySet<string>) => boolean): Record<string, JsonSchema> =>
    Object.fromEntries(
      [...users]
        .filter(([, by]) => wanted(by))
        .map(([component]) => [component, components[component] ?? {}] as const)
        .sort(byKey),
    );
  return {
    resources: grouped.map((resource) => ({
      ...resource,
      components: pick((by) => by.size === 1 && by.has(resource.name)),
    })),
    shared: pick((by) => by.size > 1),
  };
}

/** Parameters, body and success payload: what handlers and clients see. Error answers have one shape for all. */
export function shapesOf(described: OpenApiOperation): JsonSchema[] {
  const body = bodyOf(described);
  return [...(described.parameters ?? []).map((p) => p.schema), ...(body ? [body] : []), answerOf(described)];
}

export function bodyOf(described: OpenApiOperation): JsonSchema | null {
  return described.requestBody?.content["application/json"]?.schema ?? null;
}

/** The body of the success answer. */
export function answerOf(described: OpenApiOperation): JsonSchema {
  const [, success] = Object.entries(described.responses).find(([status]) => status.startsWith("2")) ?? [];
  return success?.content?.["application/json"]?.schema ?? {};
}

/** What handlers return and clients receive: the payload, and for a list the page. */
export function payloadOf({ operation, described }: DescribedOperation): JsonSchema {
  const properties = answerOf(described).properties;
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return {};
  const { data, meta } = properties as { readonly [key: string]: Json };
  if (!operation.list) return isSchema(data) ? data : {};
  return { type: "object", required: ["data", "meta"], properties: { data: data ?? {}, meta: meta ?? {} } };
}

export function parametersIn(described: OpenApiOperation, place: "path" | "query" | "header"): OpenApiParameter[] {
  return (described.parameters ?? []).filter((p) => p.in === place);
}

/** Component names that a schema refers to, however deep. */
export function reach(schema: Json, components: Readonly<Record<string, JsonSchema>>, reached: Set<string>): void {
  if (typeof schema !== "object" || schema === null) return;
  if (Array.isArray(schema)) {
    for (const item of schema) reach(item, components, reached);
    return;
  }
  for (const [key, value] of Object.entries(schema)) {
    if (key === "$ref" && typeof value === "string") {
      const name = value.slice("#/components/schemas/".length);
      if (reached.has(name)) continue;
      reached.add(name);
      reach(components[name] ?? {}, components, reached);
    } else reach(value, components, reached);
  }
}

const documentOf = (contract: Contract, operation: Operation): OpenApiDocument => contract[operation.service];

function describe(document: OpenApiDocument, operation: Operation): OpenApiOperation {
  const described = document.paths[operation.path]?.[operation.method];
  if (!described) throw new Error(`The OpenAPI document has no ${operation.method} ${operation.path}.`);
  return described;
}

const isSchema = (value: Json | undefined): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;

/** `api-keys` → `ApiKeys`. */
export const pascal = (name: string): string =>
  name.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

/** `api-keys` → `apiKeys`. */
export const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `createApiKey` → `CreateApiKey`. */
export const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
