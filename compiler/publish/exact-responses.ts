import type { ErrorRow, JsonSchema, OpenApiOperation, OpenApiResponse, Operation } from "../contract.ts";
import { schemasAt } from "../schema/schema-node.ts";

type Responses = OpenApiOperation["responses"];

/** The answers of an operation by the statuses that the reference server gives them. */
export function exactResponses(
  responses: Responses,
  { success, errors: names }: Pick<Operation, "success" | "errors">,
  errors: readonly ErrorRow[],
): Responses {
  const rows = names.flatMap((name) => errors.find((row) => row.name === name) ?? []);
  const exact = new Map<string, OpenApiResponse>();
  for (const [status, response] of Object.entries(responses)) {
    if (!/^\dXX$/.test(status)) merge(exact, status, response);
    else if (status === "2XX") merge(exact, String(success.reference), response);
    else
      for (const row of rows.filter((one) => isRange(one) && rangeOf(one) === status))
        merge(exact, String(row.referenceStatus), ofRow(response, row));
  }
  return Object.fromEntries([...exact].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const isRange = ({ status }: ErrorRow): boolean => typeof status !== "number";

/** The class of statuses under which the emitter puts a range. */
const rangeOf = ({ referenceStatus }: ErrorRow): string => `${String(referenceStatus).charAt(0)}XX`;

/** The part of an answer that is one row's. */
function ofRow(response: OpenApiResponse, { name, code, when }: ErrorRow): OpenApiResponse {
  const schema: JsonSchema = { $ref: `#/components/schemas/${name}` };
  const content = Object.keys(response.content ?? {}).map((media) => [media, { schema }] as const);
  return { ...response, description: `\`${code}\`: ${when}.`, content: Object.fromEntries(content) };
}

/** Two answers of one status are alternatives. */
function merge(exact: Map<string, OpenApiResponse>, status: string, response: OpenApiResponse): void {
  const before = exact.get(status);
  if (before === undefined) {
    exact.set(status, response);
    return;
  }
  const content = Object.entries(response.content ?? {}).map(([media, { schema }]) => {
    const known = before.content?.[media]?.schema;
    return [media, { schema: known ? { anyOf: [...alternatives(known), ...alternatives(schema)] } : schema }] as const;
  });
  exact.set(status, {
    description: `${before.description} ${response.description}`,
    headers: { ...response.headers, ...before.headers },
    content: { ...before.content, ...Object.fromEntries(content) },
  });
}

const alternatives = (schema: JsonSchema): readonly JsonSchema[] => {
  const listed = schemasAt(schema, "anyOf");
  return listed.length > 0 ? listed : [schema];
};
