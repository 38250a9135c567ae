import type {
  Contract,
  Json,
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
  Operation,
} from "../contract.ts";
import { deliveryBodyOf } from "../publish/delivery-body.ts";
import { resolveReference } from "../schema/resolve-reference.ts";
import { schemaMapAt, schemasAt } from "../schema/schema-node.ts";
import { documentOf } from "../service-of.ts";
import { type Body, bodyIn } from "./body.ts";

/** An operation together with its entry in the OpenAPI document. */
export interface DescribedOperation {
  readonly operation: Operation;
  readonly described: OpenApiOperation;
  /** Component schemas that it may refer to. */
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** Names of the types of what it takes and of what its handler gives. */
  readonly inputType: string;
  readonly answerType: string;
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
  // Components of one name are the same in all services: printingProblems refuses others.
  const components: Record<string, JsonSchema> = Object.assign(
    {},
    ...contract.services.map(({ document }) => document.components.schemas),
  );
  const names = [...new Set(contract.operations.map((o) => o.resource))];
  const users = new Map<string, Set<string>>();
  const grouped = names.map((name) => {
    const operations = contract.operations
      .filter((o) => o.resource === name)
      .map((operation): DescribedOperation => {
        const document = documentOf(contract, operation);
        return {
          operation,
          described: describe(document, operation),
          components: document.components.schemas,
          inputType: `${capitalised(operation.id)}Input`,
          answerType: `${capitalised(operation.id)}Answer`,
        };
      });
    const reached = new Set<string>();
    for (const { described } of operations)
      for (const schema of shapesOf(described)) reach(schema, components, reached);
    for (const component of reached) users.set(component, (users.get(component) ?? new Set()).add(name));
    return { name, typeName: pascal(name), valueName: camel(name), operations };
  });
  const body = deliveryBodyOf(contract);
  const delivered = new Set<string>();
  if (body !== null) reach({ $ref: `#/components/schemas/${body.component}` }, components, delivered);
  // Deliveries are nobody's: what they hold is for all.
  for (const component of delivered) users.set(component, (users.get(component) ?? new Set()).add(ofDeliveries));
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
    shared: pick((by) => by.size > 1 || by.has(ofDeliveries)),
  };
}

/** Stands beside the names of resources, which are no such word. */
const ofDeliveries = "(deliveries)";

/** Parameters, body and success payload: what handlers and clients see. Error answers have one shape for all. */
export function shapesOf(described: OpenApiOperation): JsonSchema[] {
  const bodies = [bodyOf(described), answerOf(described)].flatMap((body) => (body === null ? [] : [body.schema]));
  return [...(described.parameters ?? []).map((p) => p.schema), ...bodies];
}

export const bodyOf = (described: OpenApiOperation): Body | null => bodyIn(described.requestBody?.content);

/** The success answers of an operation. */
export function answersOf({ responses }: OpenApiOperation): readonly OpenApiResponse[] {
  return Object.entries(responses).flatMap(([status, response]) => (status.startsWith("2") ? [response] : []));
}

/** The body of the success answer. */
export const answerOf = (described: OpenApiOperation): Body | null => bodyIn(answersOf(described)[0]?.content);

/** What handlers return and clients receive; null when the answer has no body. */
export function payloadOf({ operation, described, components }: DescribedOperation): Body | null {
  const answer = answerOf(described);
  const [only, ...others] = operation.payload;
  if (answer === null || only === undefined) return answer;
  const members = membersOf(answer.schema, components);
  const member = (name: string): JsonSchema => members.get(name) ?? {};
  if (others.length === 0) return { ...answer, schema: member(only) };
  const properties = Object.fromEntries(operation.payload.map((name) => [name, member(name)]));
  return { ...answer, schema: { type: "object", required: operation.payload, properties } };
}

/** The properties of an object, those that it takes over among them. */
function membersOf(
  schema: JsonSchema,
  components: Readonly<Record<string, JsonSchema>>,
): ReadonlyMap<string, JsonSchema> {
  if (typeof schema.$ref === "string") return membersOf(resolveReference(schema.$ref, components), components);
  const inherited = schemasAt(schema, "allOf").flatMap((part) => [...membersOf(part, components)]);
  return new Map([...inherited, ...schemaMapAt(schema, "properties")]);
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

function describe(document: OpenApiDocument, operation: Operation): OpenApiOperation {
  const described = document.paths[operation.path]?.[operation.method];
  if (!described) throw new Error(`The OpenAPI document has no ${operation.method} ${operation.path}.`);
  return described;
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;

/** `api-keys` → `ApiKeys`. */
export const pascal = (name: string): string =>
  name.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

/** `api-keys` → `apiKeys`. */
export const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `createApiKey` → `CreateApiKey`. */
export const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
