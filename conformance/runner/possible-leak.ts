import { type RuleId, rules } from "../../generated/rules.ts";
import type { Rule } from "../../generated/runtime/rule.ts";

const aboutForeignRecords = new Set(
  Object.entries<Rule>(rules).flatMap(([id, { foreignRecord }]) => (foreignRecord ? [id] : [])),
);

/** Of the area of tenancy, those that are about what one organization shares among its own keys, or has of its own. */
const withinOne: ReadonlySet<string> = new Set<RuleId>(["TEN-16", "TEN-17", "TEN-22", "TEN-30"]);

/** Whether a rule keeps organizations apart: what breaks it may show one of them what belongs to another. */
export const mayLeak = (rule: string): boolean =>
  (rule.startsWith("TEN-") && !withinOne.has(rule)) || aboutForeignRecords.has(rule);
