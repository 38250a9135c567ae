import { banner } from "./banner.ts";
import { typeOfBody } from "./body.ts";
import { docComment } from "./literal.ts";
import { modelImports } from "./model-imports.ts";
import { type DescribedOperation, payloadOf, type Resource, type Resources } from "./resource.ts";
import type { TypeText } from "./type-of-schema.ts";

/** Handler interface of one resource and the function that binds handlers to operations. */
export function printServerBinding(resource: Resource, all: Resources): string {
  const answers = resource.operations.map((o) => ({ ...o, payload: answerText(o) }));
  const names = new Set(answers.flatMap(({ payload }) => [...payload.names]));
  const ids = resource.operations.map(({ operation }) => operation.id);
  const handlers = `${resource.typeName}Handlers`;
  const inputs = resource.operations.map(({ inputType }) => inputType);
  return `${banner}import type { ${inputs.join(", ")} } from "../inputs/${resource.name}.ts";
${modelImports(names, resource, all)}import { ${ids.join(", ")} } from "../operations/${resource.name}.ts";
import type { Bind } from "../runtime/binding.ts";
import type { Refusal } from "../runtime/refusal.ts";
import { ${ids.map((id) => `${id}Schemas`).join(", ")} } from "../schemas/${resource.name}.ts";

${answers.map(({ operation, answerType, payload }) => `export type ${answerType} =\n  | ${payload.text}\n  | Refusal<${errorUnion(operation.errors)}>;\n`).join("\n")}
/** What a server implements for this resource. A handler returns the payload, or a refusal that the contract lists for it. */
export interface ${handlers}<Caller> {
${resource.operations.map((o) => handlerText(o)).join("")}}

/** Binds each operation of this resource to its schemas and handler. */
export function bind${resource.typeName}<Caller>(handlers: ${handlers}<Caller>, bind: Bind<Caller>): void {
${resource.operations.map((o) => bindText(o)).join("")}}
`;
}

function answerText(described: DescribedOperation): TypeText {
  const payload = payloadOf(described);
  return payload === null ? { text: "undefined", names: new Set() } : typeOfBody(payload);
}

function handlerText({ operation: { id, summary }, inputType, answerType }: DescribedOperation): string {
  return `${docComment(summary, "  ")}  ${id}(input: ${inputType}, caller: Caller): Promise<${answerType}>;\n`;
}

function bindText({ operation: { id }, inputType }: DescribedOperation): string {
  return `  bind(${id}, ${id}Schemas, (input: ${inputType}, caller) => handlers.${id}(input, caller));\n`;
}

const errorUnion = (rows: readonly string[]): string =>
  rows.length === 0 ? "never" : rows.map((row) => `"${row}"`).join(" | ");
