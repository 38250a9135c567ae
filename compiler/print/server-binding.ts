import { banner } from "./banner.ts";
import { inputTypeOf } from "./inputs.ts";
import { docComment } from "./literal.ts";
import { modelImports } from "./model-imports.ts";
import { capitalised, type DescribedOperation, payloadOf, type Resource, type Resources } from "./resource.ts";
import { typeOfSchema } from "./type-of-schema.ts";

/** Handler interface of one resource and the function that binds handlers to operations. */
export function printServerBinding(resource: Resource, all: Resources): string {
  const answers = resource.operations.map((o) => ({ ...o, payload: typeOfSchema(payloadOf(o)) }));
  const names = new Set(answers.flatMap(({ payload }) => [...payload.names]));
  const ids = resource.operations.map(({ operation }) => operation.id);
  const handlers = `${resource.typeName}Handlers`;
  const inputs = resource.operations.flatMap(({ operation }) => [inputTypeOf(operation.id)]);
  return `${banner}import type { ${inputs.join(", ")} } from "../inputs/${resource.name}.ts";
${modelImports(names, resource, all)}import { ${ids.join(", ")} } from "../operations/${resource.name}.ts";
import type { Bind } from "../runtime/binding.ts";
import type { Refusal } from "../runtime/refusal.ts";
import { ${ids.map((id) => `${id}Schemas`).join(", ")} } from "../schemas/${resource.name}.ts";

${answers.map(({ operation, payload }) => `export type ${capitalised(operation.id)}Answer =\n  | ${payload.text}\n  | Refusal<${errorUnion(operation.errors)}>;\n`).join("\n")}
/** What a server implements for this resource. A handler returns the payload, or a refusal that the contract lists for it. */
export interface ${handlers}<Caller> {
${resource.operations.map((o) => handlerText(o)).join("")}}

/** Binds each operation of this resource to its schemas and handler. */
export function bind${resource.typeName}<Caller>(handlers: ${handlers}<Caller>, bind: Bind<Caller>): void {
${ids.map((id) => `  bind(${id}, ${id}Schemas, (input: ${inputTypeOf(id)}, caller) => handlers.${id}(input, caller));\n`).join("")}}
`;
}

function handlerText({ operation }: DescribedOperation): string {
  const { id, summary } = operation;
  return `${docComment(summary, "  ")}  ${id}(input: ${inputTypeOf(id)}, caller: Caller): Promise<${capitalised(id)}Answer>;\n`;
}

const errorUnion = (rows: readonly string[]): string => rows.map((row) => `"${row}"`).join(" | ");
