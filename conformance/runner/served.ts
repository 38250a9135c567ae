import type { RuleId } from "../../generated/rules.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import type { Check } from "../context/check.ts";

/** What of an operation decides whether a target serves it. */
export type Servable = Pick<Operation, "id" | "service" | "resource">;

/** Tells what of the contract a target leaves out; every answer is the reason, or null when it serves it. */
export interface Served {
  readonly operation: (id: string) => string | null;
  readonly rule: (rule: RuleId) => string | null;
  /** A check needs the operation that it is about, and each that one of its rules speaks about. */
  readonly check: (check: Pick<Check, "rules" | "operation">) => string | null;
}

/** `resources` are those that the target implements, null for all of them. */
export function servedBy(
  resources: readonly string[] | null,
  operations: readonly Servable[],
  aboutOf: (rule: RuleId) => string,
): Served {
  const missing = new Map(
    operations
      .filter((o) => o.service === "api" && resources !== null && !resources.includes(o.resource))
      .map((o) => [o.id, `the target does not implement ${o.resource}, of which ${o.id} is an operation`]),
  );
  const operation = (id: string): string | null => missing.get(id) ?? null;
  const rule = (id: RuleId): string | null => operation(aboutOf(id));
  return {
    operation,
    rule,
    check: ({ rules, operation: about }) =>
      (about === undefined ? null : operation(about)) ?? rules.map(rule).find((reason) => reason !== null) ?? null,
  };
}
