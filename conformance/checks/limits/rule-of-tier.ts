import type { RuleId } from "../../../generated/rules.ts";

/** The rule on each tier of the send ladder, by its place on the ladder. */
export const ruleOfTier = ["LIM-01", "LIM-03", "LIM-04", "LIM-05"] as const satisfies readonly RuleId[];
