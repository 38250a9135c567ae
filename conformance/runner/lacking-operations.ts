import type { OperationId } from "../../generated/operations.ts";
import type { RuleId } from "../../generated/rules.ts";
import { requirements } from "../arrangements/all.ts";
import type { Check } from "../context/check.ts";

/** An operation of the sandbox API that a sandbox does not serve. */
export interface LackingOperation {
  readonly operation: OperationId;
  /** Rules that only checks which need the operation decide. */
  readonly rules: readonly RuleId[];
}

/** Returns the operations that a sandbox lacks, those that cost most rules first. */
export function lackingOperations(
  served: readonly string[],
  checks: readonly Pick<Check, "needs" | "rules">[],
): readonly LackingOperation[] {
  const lacking = requirements.flatMap(({ need, sandboxOperation }) =>
    sandboxOperation === undefined || served.includes(sandboxOperation) ? [] : [{ need, operation: sandboxOperation }],
  );
  return lacking
    .map(({ need, operation }) => {
      const decided = new Set(checks.flatMap(({ needs, rules }) => (needs.includes(need) ? [] : rules)));
      const needing = checks.filter(({ needs }) => needs.includes(need)).flatMap(({ rules }) => rules);
      return { operation, rules: [...new Set(needing)].filter((rule) => !decided.has(rule)).sort() };
    })
    .sort((a, b) => b.rules.length - a.rules.length);
}
