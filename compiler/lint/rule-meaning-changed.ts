import { relock } from "../rules-lock.ts";
import type { LintRule } from "./lint-rule.ts";

/** A rule's sentence is the one that was locked; values behind placeholders may change. */
export const ruleMeaningChanged: LintRule = (contract, { lock }) =>
  lock === null ? [] : relock(contract, lock).problems.filter((problem) => problem.code === "rule-meaning-changed");
