import type { Operation } from "../contract.ts";
import { banner } from "./banner.ts";
import { docComment, literal } from "./literal.ts";
import type { Resource, Resources } from "./resource.ts";

/** The operation table of one resource. */
export function printOperations(resource: Resource): string {
  const declarations = resource.operations.map(({ operation }) => {
    const { id } = operation;
    return `${docComment(operation.summary)}export const ${id} = ${literal(entry(operation), "", 16 + id.length)} as const satisfies Operation;\n`;
  });
  return `${banner}import type { Operation } from "../runtime/operation.ts";\n\n${declarations.join("\n")}`;
}

/** The tables of all resources in one value. */
export function printAllOperations({ resources }: Resources): string {
  const imports = resources.map((r) => `import * as ${r.valueName} from "./operations/${r.name}.ts";\n`).join("");
  const spreads = resources.map((r) => `  ...${r.valueName},\n`).join("");
  return `${banner}${imports}import type { Operation } from "./runtime/operation.ts";

/** Every operation of the contract, by id. */
export const operations = {
${spreads}} as const;

export type OperationId = keyof typeof operations;

/** The same as a list. */
export const operationList: readonly Operation[] = Object.values(operations);
`;
}

function entry(operation: Operation): object {
  const { id, service, resource, path, summary, scope, scopeQuestion, caller, callerQuestion } = operation;
  const { draws, changes, list } = operation;
  const { idempotencyHeader, listQuestion, pageSize, payload, errors, shortages, refusals, optionalRefusals, secrets } =
    operation;
  const { allowed, reference } = operation.success;
  const method = operation.method.toUpperCase();
  return {
    id,
    service,
    resource,
    method,
    path,
    summary,
    scope,
    scopeQuestion,
    caller,
    callerQuestion,
    draws,
    changes,
    idempotencyHeader,
    list,
    listQuestion,
    pageSize,
    payload,
    success: { allowed, reference },
    errors,
    shortages,
    refusals,
    optionalRefusals,
    requiredBy: operation.narrowings.flatMap(({ pointer, requiredBy }) =>
      requiredBy === null ? [] : [{ pointer, option: requiredBy }],
    ),
    secrets,
  };
}
