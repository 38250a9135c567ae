import { rules } from "../../generated/rules.ts";
import type { Rule } from "../../generated/runtime/rule.ts";

/** Whether a rule keeps organizations apart: what breaks it may show one of them what belongs to another. */
export const mayLeak = (rule: string): boolean => keepingApart.has(rule);

const keepingApart: ReadonlySet<string> = new Set(
  Object.entries<Rule>(rules).flatMap(([id, { demands }]) =>
    demands === "foreignRecord" || demands === "isolation" ? [id] : [],
  ),
);
