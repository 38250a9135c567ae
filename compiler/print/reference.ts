import type { Contract, ErrorRow, JsonSchema, OpenApiParameter, Operation, Rule } from "../contract.ts";
import { documentOf } from "../service-of.ts";
import { markdownBanner } from "./banner.ts";
import { type Body, typeOfBody } from "./body.ts";
import {
  bodyOf,
  type DescribedOperation,
  parametersIn,
  payloadOf,
  type Resource,
  reach,
  shapesOf,
} from "./resource.ts";

/** The reference of one resource as Markdown: operations with their errors and rules. */
export function printReference(contract: Contract, resource: Resource): string {
  return `${markdownBanner}
# ${resource.name}

${resource.operations.map((o) => section(contract, o)).join("\n")}`;
}

function section(contract: Contract, described: DescribedOperation): string {
  const { operation, described: openapi } = described;
  const [body, payload] = [bodyOf(openapi), payloadOf(described)];
  const parameters = (["path", "query", "header"] as const).flatMap((place) =>
    parametersIn(openapi, place).map((p) => parameterLine(p, documentOf(contract, operation).components.schemas)),
  );
  const facts = [
    `Scope: ${operation.scope ? `\`${operation.scope}\`` : (operation.scopeExemption ?? "none")}${operation.scopeQuestion === null ? "" : `, the reference's choice (${operation.scopeQuestion})`}.`,
    ...operation.draws.map(
      ({ bucket, records, tooMany }) =>
        `Limit: ${limitText(contract, bucket)}${records === null ? "" : `, one for each item of \`${records}\`, of which more than it ever holds are refused (${tooMany})`}.`,
    ),
    ...(operation.idempotencyHeader
      ? [`A retry with the same \`${operation.idempotencyHeader}\` gets the first result.`]
      : []),
    ...(body ? [`Body: ${bodyText(body)}.`] : []),
    `Answer: ${operation.success.allowed === "2XX" ? "any 2xx" : operation.success.allowed} ${payload === null ? "without a body" : `with ${bodyText(payload)}`}.`,
  ];
  const rules = rulesOf(contract, described);
  return `## ${operation.id}

\`${operation.method.toUpperCase()} ${operation.path}\`

${operation.summary}

${facts.join("\n")}
${parameters.length > 0 ? `\n| Parameter | In | Values | |\n| --- | --- | --- | --- |\n${parameters.join("\n")}\n` : ""}
| Status | Code | When |
| --- | --- | --- |
${errorsOf(contract, operation).map(errorLine).join("\n")}
${rules.length > 0 ? `\n| Rule | Level | Sentence |\n| --- | --- | --- |\n${rules.map((r) => `| ${r.id} | ${r.level} | ${r.says} |`).join("\n")}\n` : ""}`;
}

/** The type of a body, and its media type where that is not plain JSON. */
function bodyText(body: Body): string {
  const media = body.media === "application/json" ? "" : ` (${body.media})`;
  return `\`${typeOfBody(body).text.replace(/\s+/g, " ")}\`${media}`;
}

type Schemas = Readonly<Record<string, JsonSchema>>;

function parameterLine({ name, in: place, required, schema, description }: OpenApiParameter, schemas: Schemas): string {
  const meaning = typeof description === "string" ? description : "";
  return `| \`${name}\` | ${place}${required ? ", required" : ""} | ${valuesOf(schema, schemas)} | ${meaning} |`;
}

/** The values of a parameter in words. */
function valuesOf(schema: JsonSchema, schemas: Schemas): string {
  const { type, format, minimum, maximum, enum: allowed, default: preset } = flat(schema, schemas);
  const values = Array.isArray(allowed) ? allowed.map((value) => `\`${value}\``).join(", ") : String(format ?? type);
  const range = minimum === undefined && maximum === undefined ? "" : `, ${minimum ?? "…"} to ${maximum ?? "…"}`;
  return `${values}${range}${preset === undefined ? "" : `, ${preset} when left out`}`;
}

/** A schema together with what it refers to. */
function flat(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const parts = Array.isArray(schema.allOf) ? (schema.allOf as readonly JsonSchema[]) : [];
  const name = typeof schema.$ref === "string" ? schema.$ref.slice("#/components/schemas/".length) : null;
  const referred = name === null ? {} : flat(schemas[name] ?? {}, schemas);
  return Object.assign({}, referred, ...parts.map((part) => flat(part, schemas)), schema);
}

/** Rules about the operation, its parameters, and the models that it takes and answers. */
function rulesOf(contract: Contract, { operation, described }: DescribedOperation): readonly Rule[] {
  const { schemas } = documentOf(contract, operation).components;
  const models = new Set<string>();
  for (const shape of shapesOf(described)) reach(shape, schemas, models);
  const parameters = new Set((described.parameters ?? []).map(({ name }) => name));
  const concerns = ({ about }: Rule): boolean => {
    const [owner = "", member] = about.split(".");
    if (about === operation.id || models.has(owner)) return true;
    // A model of parameters leaves no schema behind: its members are the operation's parameters.
    return member !== undefined && schemas[owner] === undefined && parameters.has(member);
  };
  return contract.rules.filter(concerns).sort((a, b) => (a.id < b.id ? -1 : 1));
}

const errorsOf = (contract: Contract, operation: Operation): ErrorRow[] =>
  contract.errors.filter((row) => operation.errors.includes(row.name));

function errorLine(row: ErrorRow): string {
  const status = typeof row.status === "number" ? row.status : `${row.status.from}–${row.status.to}`;
  return `| ${status} | \`${row.code}\` | ${row.when} |`;
}

function limitText(contract: Contract, name: string): string {
  const bucket = contract.buckets.find((b) => b.name === name);
  const sharers = contract.operations
    .filter((o) => o.draws.some(({ bucket }) => bucket === name))
    .map((o) => `\`${o.id}\``);
  if (bucket?.kind === "bucket")
    return `${bucket.capacity} per ${bucket.periodSeconds} s and organization, drawn by ${sharers.join(" and ")}`;
  const tiers = bucket?.tiers.map(({ capacity, fromCents }) => `${capacity} from $${fromCents / 100} spent`) ?? [];
  return `${tiers.join(", ")} per ${bucket?.periodSeconds} s and organization, drawn by ${sharers.join(" and ")}`;
}
