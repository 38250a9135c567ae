import { stringify } from "yaml";
import type { Contract, Json, OpenApiDocument, Operation, ServiceName } from "../contract.ts";
import { serviceOf } from "../service-of.ts";
import { hashBanner } from "./banner.ts";

/** One service's OpenAPI 3.1 document, with what OpenAPI has no word for in `x-bylaw-…` extensions. */
export function printOpenApi(contract: Contract, service: ServiceName): string {
  const { document } = serviceOf(contract, service);
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, described]) => {
          const operation = contract.operations.find((o) => o.id === described.operationId);
          return [method, operation ? { ...described, ...extensions(contract, operation) } : described];
        }),
      ),
    ]),
  );
  const whole: OpenApiDocument = { ...document, paths: paths as OpenApiDocument["paths"] };
  return hashBanner + stringify(whole, { aliasDuplicateObjects: false, lineWidth: 0 });
}

function extensions(contract: Contract, operation: Operation): Record<string, Json> {
  const draws = operation.draws.flatMap(({ bucket, records, tooMany }) => {
    const found = contract.buckets.find((b) => b.name === bucket);
    return found === undefined ? [] : [{ ...bucketText(found), ...(records === null ? {} : { records, tooMany }) }];
  });
  const rules = contract.rules.filter((r) => r.about === operation.id).map((r) => r.id);
  const entries: [string, Json | null][] = [
    ["x-bylaw-scope", operation.scope],
    ["x-bylaw-scope-question", operation.scopeQuestion],
    ["x-bylaw-scope-exemption", operation.scopeExemption],
    ["x-bylaw-draws", draws.length > 0 ? draws : null],
    ["x-bylaw-idempotency-header", operation.idempotencyHeader],
    ["x-bylaw-reference", operation.success.allowed === "2XX" ? { status: operation.success.reference } : null],
    ["x-bylaw-rules", rules.length > 0 ? rules : null],
  ];
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== null));
}

function bucketText(bucket: Contract["buckets"][number]): { readonly [name: string]: Json } {
  const { name, periodSeconds, unit } = bucket;
  if (bucket.kind === "ladder") return { name, tiers: bucket.tiers.map((t) => ({ ...t })), periodSeconds, unit };
  return { name, capacity: bucket.capacity, periodSeconds, unit };
}
