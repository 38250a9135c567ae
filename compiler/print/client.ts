import type { JsonSchema } from "../contract.ts";
import { banner } from "./banner.ts";
import { isJson, isText, typeOfBody } from "./body.ts";
import { docComment, literal, propertyKey } from "./literal.ts";
import { modelImports } from "./model-imports.ts";
import {
  answerOf,
  bodyOf,
  type DescribedOperation,
  parametersIn,
  payloadOf,
  type Resource,
  type Resources,
} from "./resource.ts";

/** A typed client of one resource: one function for each operation. */
export function printClient(resource: Resource, all: Resources): string {
  const names = new Set<string>();
  const functions = resource.operations.map((o) => functionText(o, names));
  const inputs = resource.operations.filter(takesInput).map(({ inputType }) => inputType);
  const inputImport =
    inputs.length > 0 ? `import type { ${inputs.join(", ")} } from "../inputs/${resource.name}.ts";\n` : "";
  const paged = resource.operations.some(({ operation }) => operation.continuation !== null);
  return `${banner}import { envelopes } from "../envelopes.ts";
import { type ErrorOf, errorRows } from "../error-rows.ts";
${inputImport}${modelImports(names, resource, all)}import * as operations from "../operations/${resource.name}.ts";
${paged ? 'import { pages } from "../runtime/pages.ts";\n' : ""}import { type Answer, type Transport, send } from "../runtime/transport.ts";

${functions.join("\n")}`;
}

const takesInput = ({ described }: DescribedOperation): boolean =>
  (described.parameters ?? []).length > 0 || bodyOf(described) !== null;

function functionText(described: DescribedOperation, names: Set<string>): string {
  const { operation, described: openapi, inputType } = described;
  const payload = payloadOf(described);
  const type = payload === null ? null : typeOfBody(payload);
  for (const name of type?.names ?? []) names.add(name);
  const parts = [`method: "${operation.method.toUpperCase()}"`, `path: ${pathText(operation.path)}`];
  const query = parametersIn(openapi, "query");
  if (query.length > 0) parts.push("query: input.query");
  const repeated = query.filter((p) => p.explode !== false && isList(p)).map(({ name }) => name);
  if (repeated.length > 0) parts.push(`repeated: ${literal(repeated)}`);
  if (parametersIn(openapi, "header").length > 0) parts.push("headers: input.headers");
  const body = bodyOf(openapi);
  if (body !== null) parts.push("body: input.body");
  if (body !== null && body.media !== "application/json") parts.push(`media: ${JSON.stringify(body.media)}`);
  const expects = expected(answerOf(openapi)?.media ?? null);
  parts.push(expects === "json" ? `payload: ${literal(operation.payload)}` : `expects: "${expects}"`);
  parts.push(
    `envelope: envelopes.${operation.service}`,
    `errors: operations.${operation.id}.errors`,
    "rows: errorRows",
  );
  const input = takesInput(described) ? `, input: ${inputType}` : "";
  return `${docComment(operation.summary)}export const ${operation.id} = (transport: Transport${input}): Promise<Answer<${type?.text ?? "undefined"}, ErrorOf<typeof operations.${operation.id}>>> =>
  send(transport, { ${parts.join(", ")} });
${pagesText(described)}`;
}

/** The pages of a list, where a query parameter takes the cursor that a page gives. */
function pagesText({ operation: { id, continuation }, inputType }: DescribedOperation): string {
  if (continuation === null) return "";
  const key = propertyKey(continuation.parameter);
  return `
/** The pages of \`${id}\`, each asked for when the one before is done with. Throws \`PageRefused\`. */
export const ${id}Pages = (transport: Transport, input: ${inputType}) =>
  pages(
    (cursor) => ${id}(transport, cursor === undefined ? input : { ...input, query: { ...input.query, ${key}: cursor } }),
    ${JSON.stringify(continuation.pointer)},
  );
`;
}

const expected = (media: string | null): "json" | "text" | "bytes" | "nothing" =>
  media === null ? "nothing" : isJson(media) ? "json" : isText(media) ? "text" : "bytes";

const isList = ({ schema }: { readonly schema: JsonSchema }): boolean => schema.type === "array";

function pathText(path: string): string {
  if (!path.includes("{")) return JSON.stringify(path);
  return `\`${path.replace(/\{([^}]+)\}/g, (_, name: string) => `\${encodeURIComponent(input.path${memberAccess(name)})}`)}\``;
}

const memberAccess = (name: string): string => (propertyKey(name) === name ? `.${name}` : `[${propertyKey(name)}]`);
