import type { Contract, ErrorRow, Operation } from "../contract.ts";
import { markdownBanner } from "./banner.ts";
import { bodyOf, type DescribedOperation, parametersIn, payloadOf, type Resource } from "./resource.ts";
import { typeOfSchema } from "./type-of-schema.ts";

/** The reference of one resource as Markdown: operations with their errors and rules. */
export function printReference(contract: Contract, resource: Resource): string {
  return `${markdownBanner}
# ${resource.name}

${resource.operations.map((o) => section(contract, o)).join("\n")}`;
}

function section(contract: Contract, described: DescribedOperation): string {
  const { operation, described: openapi } = described;
  const body = bodyOf(openapi);
  const parameters = (["path", "query", "header"] as const).flatMap((place) =>
    parametersIn(openapi, place).map(
      (p) => `- \`${p.name}\` (${place}${p.required ? ", required" : ""}): \`${typeOfSchema(p.schema).text}\``,
    ),
  );
  const facts = [
    `Scope: ${operation.scope ? `\`${operation.scope}\`` : (operation.scopeExemption ?? "none")}.`,
    ...(operation.bucket ? [`Limit: ${limitText(contract, operation.bucket)}.`] : []),
    ...(operation.idempotent ? ["Takes an `Idempotency-Key`."] : []),
    ...(body ? [`Body: \`${typeOfSchema(body).text.replace(/\s+/g, " ")}\`.`] : []),
    `Answer: ${operation.success.allowed === "2XX" ? "any 2xx" : operation.success.allowed} with \`${typeOfSchema(payloadOf(described)).text.replace(/\s+/g, " ")}\`.`,
  ];
  const rules = contract.rules.filter((r) => r.about === operation.id).sort((a, b) => (a.id < b.id ? -1 : 1));
  return `## ${operation.id}

\`${operation.method.toUpperCase()} ${operation.path}\`

${operation.summary}

${facts.join("\n")}
${parameters.length > 0 ? `\n${parameters.join("\n")}\n` : ""}
| Status | Code | When |
| --- | --- | --- |
${errorsOf(contract, operation).map(errorLine).join("\n")}
${rules.length > 0 ? `\n| Rule | Level | Sentence |\n| --- | --- | --- |\n${rules.map((r) => `| ${r.id} | ${r.level} | ${r.says} |`).join("\n")}\n` : ""}`;
}

const errorsOf = (contract: Contract, operation: Operation): ErrorRow[] =>
  contract.errors.filter((row) => operation.errors.includes(row.name));

function errorLine(row: ErrorRow): string {
  const status = typeof row.status === "number" ? row.status : `${row.status.from}–${row.status.to}`;
  return `| ${status} | \`${row.code}\` | ${row.when} |`;
}

function limitText(contract: Contract, name: string): string {
  const bucket = contract.buckets.find((b) => b.name === name);
  const sharers = contract.operations.filter((o) => o.bucket === name).map((o) => `\`${o.id}\``);
  if (bucket?.kind === "bucket")
    return `${bucket.capacity} per ${bucket.periodSeconds} s and organization, drawn by ${sharers.join(" and ")}`;
  return `by lifetime spend, drawn by ${sharers.join(" and ")}`;
}
