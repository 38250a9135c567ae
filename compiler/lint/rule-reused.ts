import { relock } from "../rules-lock.ts";
import type { LintRule } from "./lint-rule.ts";

/** The id of a retired rule is never used again: reports of older runs still speak of it. */
export const ruleReused: LintRule = (contract, { lock }) =>
  lock === null ? [] : relock(contract, lock).problems.filter((problem) => problem.code === "rule-reused");
