import { duplicatesOf } from "./duplicates.ts";
import type { LintRule } from "./lint-rule.ts";

/** No two rules share an id. */
export const duplicateRuleId: LintRule = (contract) =>
  duplicatesOf(contract.rules, "duplicate-rule-id", "Take the next free number of the area for one of the two.");
