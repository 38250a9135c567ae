import type { Json, JsonSchema, Narrowing, OpenApiParameter } from "../contract.ts";
import { banner } from "./banner.ts";
import { isJson } from "./body.ts";
import { literal } from "./literal.ts";
import { answerOf, bodyOf, type DescribedOperation, parametersIn, type Resource, type Resources } from "./resource.ts";

/** The JSON Schemas of one resource: its components, and those of each operation. */
export function printSchemas(resource: Resource): string {
  const operations = resource.operations.map((described) => {
    const head = `export const ${described.operation.id}Schemas: OperationSchemas = `;
    return `${head}${literal(schemasOf(described), "", head.length)};\n`;
  });
  return `${banner}import type { JsonSchema } from "../runtime/json.ts";
import type { OperationSchemas } from "../runtime/operation.ts";

${components(resource.components)}
${operations.join("\n")}`;
}

/** The component schemas that several resources use. */
export function printSharedSchemas({ shared }: Resources): string {
  return `${banner}import type { JsonSchema } from "../runtime/json.ts";\n\n${components(shared)}`;
}

/** All component schemas in one object, and all operations' schemas by operation id. */
export function printAllSchemas({ resources }: Resources): string {
  const imports = resources.map((r) => `import * as ${r.valueName} from "./schemas/${r.name}.ts";\n`).join("");
  const spreads = resources.map((r) => `  ...${r.valueName}.components,\n`).join("");
  const entries = resources
    .flatMap((r) => r.operations.map(({ operation: { id } }) => `  ${id}: ${r.valueName}.${id}Schemas,\n`))
    .join("");
  return `${banner}import type { OperationId } from "./operations.ts";
import type { JsonSchema } from "./runtime/json.ts";
import type { OperationSchemas } from "./runtime/operation.ts";
${imports}import * as shared from "./schemas/shared.ts";

/** Component schemas by name; \`#/components/schemas/<name>\` refers to them. */
export const components: Readonly<Record<string, JsonSchema>> = {
  ...shared.components,
${spreads}};

/** Schemas of every operation, by operation id. */
export const operationSchemas: Readonly<Record<OperationId, OperationSchemas>> = {
${entries}};
`;
}

function components(schemas: Readonly<Record<string, JsonSchema>>): string {
  const head = "export const components: Readonly<Record<string, JsonSchema>> = ";
  return `${head}${literal(schemas, "", head.length)};\n`;
}

function schemasOf(described: DescribedOperation): Record<string, Json> {
  const { operation, described: openapi } = described;
  const [body, answer] = [bodyOf(openapi), answerOf(openapi)];
  return {
    path: objectOf(parametersIn(openapi, "path")),
    query: objectOf(parametersIn(openapi, "query")),
    headers: objectOf(parametersIn(openapi, "header").map((p) => ({ ...p, name: p.name.toLowerCase() }))),
    body: body !== null && isJson(body.media) ? body.schema : null,
    bodyMedia: body?.media ?? null,
    bodyRequired: openapi.requestBody?.required ?? false,
    referenceBody: narrowed(operation.narrowings),
    answer: answer !== null && isJson(answer.media) ? answer.schema : {},
    answerMedia: answer?.media ?? null,
  };
}

function objectOf(parameters: readonly OpenApiParameter[]): JsonSchema | null {
  if (parameters.length === 0) return null;
  const required = parameters.filter((p) => p.required).map((p) => p.name);
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map((p) => [p.name, p.schema])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** One schema for all that the reference demands, whatever the depth of the properties. */
function narrowed(narrowings: readonly Narrowing[]): JsonSchema | null {
  if (narrowings.length === 0) return null;
  return demanded(narrowings.map((narrowing) => [narrowing.pointer.split("/").slice(1), narrowing] as const));
}

type Demand = readonly [path: readonly string[], narrowing: Narrowing];

/** The schema of the values in which paths begin: an array where they begin with `*`, else an object. */
function demanded(demands: readonly Demand[]): JsonSchema {
  const names = [...new Set(demands.flatMap(([[name]]) => (name === undefined ? [] : [name])))];
  const below = (name: string): readonly Demand[] =>
    demands.flatMap(([[first, ...rest], narrowing]) => (first === name ? [[rest, narrowing] as const] : []));
  const own = Object.assign({}, ...demands.flatMap(([path, { schema }]) => (path.length === 0 ? [schema] : [])));
  if (names.length === 0) return own;
  if (names.includes("*")) return { ...own, type: "array", items: demanded(below("*")) };
  const required = names.filter((name) => below(name).some(([path, one]) => path.length === 0 && one.required));
  return {
    ...own,
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, demanded(below(name))])),
    ...(required.length > 0 ? { required } : {}),
  };
}
