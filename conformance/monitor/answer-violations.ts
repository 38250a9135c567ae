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
  const violations = [
    ...check(outcome.json).map((v) => ({ ...v, format: formatOf(v), value: valueAt(outcome.json, v.pointer) })),
    ...offsetsOf(outcome.json, "").map((v) => ({ ...v, format: "date-time" })),
  ];
  found.set(outcome, violations);
  return violations;
}

const isOperation = (id: string | null): id is OperationId => id !== null && Object.hasOwn(operations, id);

const formatOf = (violation: Violation): string | null =>
  violation.keyword === "format" ? (/format "([^"]+)"/.exec(violation.message)?.[1] ?? null) : null;

/** Timestamps that name an offset other than zero: the format admits them, UTC does not. */
export function offsetsOf(value: unknown, pointer: string): (Violation & { readonly value: unknown })[] {
  if (typeof value === "string") {
    const offset = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?[+-](?!00:00$)\d\d:\d\d$/.test(value);
    return offset && /_at$/.test(pointer)
      ? [{ pointer, keyword: "format", message: "an offset other than UTC", value }]
      : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => offsetsOf(inner, `${pointer}/${key}`));
}
