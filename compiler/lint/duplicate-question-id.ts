import type { OpenQuestion } from "../contract.ts";
import { duplicatesOf } from "./duplicates.ts";
import type { LintRule } from "./lint-rule.ts";

/**
 * No two open questions share an id. Independent aspects of one question may: each is then flipped by an option of
 * its own.
 */
export const duplicateQuestionId: LintRule = (contract) =>
  duplicatesOf(
    contract.questions,
    "duplicate-question-id",
    "Give one of the two another number; if they are aspects of one question, give each its own option.",
    areAspects,
  );

const areAspects = (one: OpenQuestion, other: OpenQuestion): boolean =>
  one.option !== null && other.option !== null && one.option.name !== other.option.name;
