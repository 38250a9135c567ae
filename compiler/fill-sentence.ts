import type { Contract } from "./contract.ts";

/** A sentence with the contract's values in place of its placeholders. */
export interface FilledSentence {
  readonly sentence: string;
  /** Placeholders that name nothing. */
  readonly unknown: readonly string[];
}

type Facts = Pick<Contract, "services" | "errors" | "buckets" | "bounds" | "constants" | "scopes" | "operations">;

/**
 * Replaces `{…}` in a rule's sentence: an error row, a bucket's capacity or period, a bound, a constant, a
 * service's base path, a scope or an operation. A trailing `+1` or `-1` on a number is computed. A ladder's numbers are `{bucket.name.tier2.capacity}`.
 */
export function fillSentence(template: string, facts: Facts): FilledSentence {
  const unknown: string[] = [];
  const sentence = template.replace(
    /\{([A-Za-z][\w.]*)([+-]\d+)?\}/g,
    (whole, path: string, offset: string | undefined) => {
      const value = valueAt(path, facts);
      if (value === null || (offset !== undefined && typeof value !== "number")) {
        unknown.push(path + (offset ?? ""));
        return whole;
      }
      return offset === undefined || typeof value === "string" ? written(value) : written(value + Number(offset));
    },
  );
  return { sentence, unknown };
}

/** Every placeholder that a sentence may hold, but for the fields of a row and the tiers of a ladder. */
export const placeholders = ({
  services,
  errors,
  buckets,
  bounds,
  constants,
  scopes,
  operations,
}: Facts): readonly string[] => [
  ...errors.map(({ name }) => name),
  ...buckets.flatMap(({ name }) => [`bucket.${name}.capacity`, `bucket.${name}.period`]),
  ...bounds.map(({ name }) => `limit.${name}`),
  ...constants.map(({ name }) => `constant.${name}`),
  ...services.map(({ name }) => `basePath.${name}`),
  ...scopes.map(({ name }) => `scope.${name}`),
  ...operations.map(({ id }) => `operation.${id}`),
];

const written = (value: string | number): string => (typeof value === "number" ? value.toLocaleString("en-US") : value);

function valueAt(path: string, facts: Facts): string | number | null {
  const [kind = "", name = "", field = "", inner = ""] = path.split(".");
  switch (kind) {
    case "bucket":
      return bucketValue(name, field, inner, facts);
    case "limit":
      return facts.bounds.find((b) => b.name === name)?.value ?? null;
    case "constant": {
      const constant = facts.constants.find((c) => c.name === name);
      return constant ? `\`${constant.value}\`` : null;
    }
    case "basePath": {
      const service = facts.services.find((s) => s.name === name);
      return service ? `\`${service.basePath}\`` : null;
    }
    case "scope": {
      const scope = facts.scopes.find((s) => s.name === name);
      return scope ? `\`${scope.value}\`` : null;
    }
    case "operation": {
      const operation = facts.operations.find((o) => o.id === name);
      return operation ? `\`${operation.method.toUpperCase()} ${operation.path}\`` : null;
    }
    default:
      return rowValue(kind, name, facts);
  }
}

function rowValue(rowName: string, field: string, facts: Facts): string | number | null {
  const row = facts.errors.find((e) => e.name === rowName);
  if (!row) return null;
  const exact = typeof row.status === "number";
  const status = typeof row.status === "number" ? row.status : `a status from ${row.status.from} to ${row.status.to}`;
  if (field === "status") return status;
  if (field === "referenceStatus") return row.referenceStatus;
  if (field === "code") return `\`${row.code}\``;
  if (field !== "") return null;
  return exact ? `${row.status} \`${row.code}\`` : `\`${row.code}\``;
}

function bucketValue(name: string, field: string, inner: string, facts: Facts): string | number | null {
  const bucket = facts.buckets.find((b) => b.name === name);
  if (!bucket) return null;
  if (field === "period") return period(bucket.periodSeconds);
  if (bucket.kind === "bucket") return field === "capacity" ? bucket.capacity : null;
  const tier = bucket.tiers.find((t) => `tier${t.tier}` === field);
  if (inner === "capacity") return tier?.capacity ?? null;
  if (inner === "fromUsd") return tier === undefined ? null : tier.fromCents / 100;
  return null;
}

/** A period in words: "a minute", "an hour", "90 seconds". */
function period(seconds: number): string {
  if (seconds === 1) return "a second";
  if (seconds === 60) return "a minute";
  if (seconds === 3600) return "an hour";
  return `${seconds} seconds`;
}
