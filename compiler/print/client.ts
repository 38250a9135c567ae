import type { Operation } from "../contract.ts";
import { banner } from "./banner.ts";
import { inputTypeOf } from "./inputs.ts";
import { docComment, propertyKey } from "./literal.ts";
import { modelImports } from "./model-imports.ts";
import { bodyOf, type DescribedOperation, parametersIn, payloadOf, type Resource, type Resources } from "./resource.ts";
import { typeOfSchema } from "./type-of-schema.ts";

/** A typed client of one resource: one function for each operation. */
export function printClient(resource: Resource, all: Resources): string {
  const names = new Set<string>();
  const functions = resource.operations.map((o) => functionText(o, names));
  const inputs = resource.operations.filter(takesInput).map(({ operation }) => inputTypeOf(operation.id));
  const inputImport =
    inputs.length > 0 ? `import type { ${inputs.join(", ")} } from "../inputs/${resource.name}.ts";\n` : "";
  return `${banner}${inputImport}${modelImports(names, resource, all)}import { type Answer, type Transport, send } from "../runtime/transport.ts";

${functions.join("\n")}`;
}

const takesInput = ({ described }: DescribedOperation): boolean =>
  (described.parameters ?? []).length > 0 || bodyOf(described) !== null;

function functionText(described: DescribedOperation, names: Set<string>): string {
  const { operation, described: openapi } = described;
  const payload = typeOfSchema(payloadOf(described));
  for (const name of payload.names) names.add(name);
  const parts = [`method: "${operation.method.toUpperCase()}"`, `path: ${pathText(operation)}`];
  if (parametersIn(openapi, "query").length > 0) parts.push("query: input.query");
  if (parametersIn(openapi, "header").length > 0) parts.push("headers: input.headers");
  if (bodyOf(openapi)) parts.push("body: input.body");
  const input = takesInput(described) ? `, input: ${inputTypeOf(operation.id)}` : "";
  return `${docComment(operation.summary)}export const ${operation.id} = (transport: Transport${input}): Promise<Answer<${payload.text}>> =>
  send(transport, { ${parts.join(", ")} });
`;
}

function pathText({ path }: Operation): string {
  if (!path.includes("{")) return JSON.stringify(path);
  return `\`${path.replace(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(input.path${/^\w+$/.test(name) ? `.${name}` : `[${propertyKey(name)}]`})}`)}\``;
}
