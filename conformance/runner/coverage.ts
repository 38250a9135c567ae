import type { OperationId } from "../../generated/operations.ts";
import type { RuleId } from "../../generated/rules.ts";
import type { Check } from "../context/check.ts";
import type { Finding } from "../outcome/verdict.ts";
import type { Plan } from "./plan.ts";
import { type Coverage, isDecided, type MissingOperation } from "./run-result.ts";

/**
 * For which operations a rule was decided, by its findings. An operation is missed where the target or the profile kept
 * its checks from running, and not where a filter did. Null when no check that was asked for decides the rule operation by
 * operation.
 */
export function coverageOf(
  rule: RuleId,
  findings: readonly Finding[],
  { asked, checks, served }: Pick<Plan, "asked" | "checks" | "served">,
): Coverage | null {
  const byOperation = new Map<OperationId, Check[]>();
  for (const check of asked) {
    if (check.operation === undefined || !check.rules.includes(rule)) continue;
    byOperation.set(check.operation, [...(byOperation.get(check.operation) ?? []), check]);
  }
  if (byOperation.size === 0) return null;
  const planned = new Set(checks.map(({ check }) => check));
  const missing: MissingOperation[] = [];
  let of = 0;
  for (const [operation, own] of byOperation) {
    const found = findings.filter((finding) => own.some(({ id }) => id === finding.check));
    const lacking = found.length > 0 && found.every(({ verdict }) => verdict === "not_applicable");
    if (lacking || served.operation(operation) !== null) continue;
    of += 1;
    if (found.some(({ verdict }) => isDecided(verdict))) continue;
    const obstacle = found.find(({ verdict }) => verdict !== "not_applicable");
    if (obstacle !== undefined) missing.push({ operation, message: obstacle.message, unblock: obstacle.unblock });
    else if (own.some((check) => planned.has(check))) missing.push({ operation, ...notRun });
    else missing.push({ operation, ...outOfProfile });
  }
  return { decided: of - missing.length, of, missing };
}

const outOfProfile = { message: "no part of a Core run", unblock: "run with --profile full" };
const notRun = { message: "its check was not run", unblock: null };
