import { type ErrorRowName, errorRows } from "../../generated/error-rows.ts";
import { type RuleId, rules } from "../../generated/rules.ts";
import type { Rule } from "../../generated/runtime/rule.ts";

const ruleIds = Object.keys(rules) as readonly RuleId[];

const isRowName = (name: string): name is ErrorRowName => Object.hasOwn(errorRows, name);

/** Rules that say what an operation answers about another organization's record, with the rows that they name. */
export const rulesOnForeign = (operation: string): readonly (readonly [RuleId, readonly ErrorRowName[]])[] =>
  ruleIds.flatMap((id) => {
    const { demands, operations, rows }: Rule = rules[id];
    return demands === "foreignRecord" && operations.includes(operation) ? [[id, rows.filter(isRowName)] as const] : [];
  });
