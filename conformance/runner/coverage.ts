import type { OperationId } from "../../generated/operations.ts";
import type { RuleId } from "../../generated/rules.ts";
import type { Check } from "../context/check.ts";
import type { Finding } from "../outcome/verdict.ts";
import { type Coverage, isDecided, type MissingOperation } from "./run-result.ts";
import type { Served } from "./served.ts";

/**
 * For which operations a rule was decided, by its findings. `checks` are those that were asked for, so that an
 * operation is missed where the target or the profile kept its checks from running, and not where a filter did. Null when
 * none of them decides the rule operation by operation.
 */
export function coverageOf(
  rule: RuleId,
  findings: readonly Finding[],
  checks: readonly Check[],
  served: Served,
): Coverage | null {
  const byOperation = new Map<OperationId, Check[]>();
  for (const check of checks) {
    if (check.operation === undefined || !check.rules.includes(rule)) continue;
    byOperation.set(check.operation, [...(byOperation.get(check.operation) ?? []), check]);
  }
  if (byOperation.size === 0) return null;
  const missing: MissingOperation[] = [];
  let of = 0;
  for (const [operation, own] of byOperation) {
    const found = findings.filter((finding) => own.some(({ id }) => id === finding.check));
    const lacking = found.length > 0 && found.every(({ verdict }) => verdict === "not_applicable");
    if (lacking || served.operation(operation) !== null) continue;
    of += 1;
    if (found.some(({ verdict }) => isDecided(verdict))) continue;
    const obstacle = found.find(({ verdict }) => verdict !== "not_applicable");
    missing.push({
      operation,
      message: obstacle?.message ?? "its check was not run",
      unblock: obstacle?.unblock ?? null,
    });
  }
  return { decided: of - missing.length, of, missing };
}
