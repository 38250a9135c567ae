import { rules } from "../../generated/rules.ts";
import type { Rule } from "../../generated/runtime/rule.ts";

const aboutForeignRecords = new Set(
  Object.entries<Rule>(rules).flatMap(([id, { foreignRecord }]) => (foreignRecord ? [id] : [])),
);

/** Whether a rule keeps organizations apart: what breaks it may show one of them what belongs to another. */
export const mayLeak = (rule: string): boolean => rule.startsWith("TEN-") || aboutForeignRecords.has(rule);
