import { type Violation, validatorFor } from "../../compiler/schema/validator.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import { components, operationSchemas } from "../../generated/schemas.ts";
import { valueAt } from "../evidence/json-pointer.ts";
import type { Exchange } from "../exchange/exchange.ts";

/** Where a success answer departs from the contract's schema. */
export interface AnswerViolation extends Violation {
  /** The format that the value misses; null when the violation is another. */
  readonly format: string | null;
  readonly value: unknown;
}

const validator = validatorFor(components);
const compiled = new Map<OperationId, (value: unknown) => readonly Violation[]>();
const found = new WeakMap<object, readonly AnswerViolation[]>();

/** Violations of a success answer of a known operation; none for anything else. */
export function answerViolations(exchange: Exchange): readonly AnswerViolation[] {
  const { outcome, operation } = exchange;
  if (outcome.kind === "lost" || outcome.status < 200 || outcome.status > 299 || !isOperation(operation)) return [];
  const known = found.get(outcome);
  if (known) return known;
  const check = compiled.get(operation) ?? validator.compile(operationSchemas[operation].answer);
  compiled.set(operation, check);
  const declared = check(outcome.json).map((v) => ({
    ...v,
    format: formatOf(v),
    value: valueAt(outcome.json, v.pointer),
  }));
  const places = new Set(declared.map(({ pointer }) => pointer));
  const times = timesOutsideUtc(outcome.json, "").filter(({ pointer }) => !places.has(pointer));
  const violations = [...declared, ...times.map((v) => ({ ...v, format: "date-time" }))];
  found.set(outcome, violations);
  return violations;
}

const isOperation = (id: string | null): id is OperationId => id !== null && Object.hasOwn(operations, id);

const formatOf = (violation: Violation): string | null =>
  violation.keyword === "format" ? (/format "([^"]+)"/.exec(violation.message)?.[1] ?? null) : null;

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]00:00)$/i;

/** True of a timestamp in UTC (RFC 3339, 5.6). */
export const isUtcDateTime = (text: string): boolean => dateTime.test(text) && !Number.isNaN(Date.parse(text));

/** Date and time of day, in any form. */
const looksLikeDateTime = /^\d{4}-?\d\d-?\d\d[Tt ]\d\d/;

/** An offset of zero, as RFC 3339 and ISO 8601 write it. */
const zeroOffset = /(?:Z|[+-]00(?::?00)?)$/i;

/** Timestamps without an offset of zero. Their names identify them, so the contract need not declare them. */
function timesOutsideUtc(value: unknown, pointer: string): (Violation & { readonly value: unknown })[] {
  if (typeof value === "string")
    return /_at$/.test(pointer) && looksLikeDateTime.test(value) && !zeroOffset.test(value)
      ? [{ pointer, keyword: "format", message: "no offset of UTC", value }]
      : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => timesOutsideUtc(inner, `${pointer}/${key}`));
}
