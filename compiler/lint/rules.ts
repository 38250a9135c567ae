import { bucketWithout429 } from "./bucket-without-429.ts";
import { duplicateQuestionId } from "./duplicate-question-id.ts";
import { duplicateRuleId } from "./duplicate-rule-id.ts";
import { exampleInvalid } from "./example-invalid.ts";
import { invalidPattern } from "./invalid-pattern.ts";
import type { LintRule } from "./lint-rule.ts";
import { listWithoutBounds } from "./list-without-bounds.ts";
import { operationWithoutScope } from "./operation-without-scope.ts";
import { pathIdWithout404 } from "./path-id-without-404.ts";
import { questionWithoutAlternatives } from "./question-without-alternatives.ts";
import { ruleAboutNothing } from "./rule-about-nothing.ts";
import { ruleMeaningChanged } from "./rule-meaning-changed.ts";
import { ruleMissing } from "./rule-missing.ts";
import { ruleNotLocked } from "./rule-not-locked.ts";
import { ruleReused } from "./rule-reused.ts";
import { ruleUnknownQuestion } from "./rule-unknown-question.ts";
import { scopeWithoutDenial } from "./scope-without-denial.ts";
import { unanchoredPattern } from "./unanchored-pattern.ts";
import { unboundedPattern } from "./unbounded-pattern.ts";
import { unknownErrorCode } from "./unknown-error-code.ts";
import { unknownOption } from "./unknown-option.ts";
import { unknownQuestion } from "./unknown-question.ts";

/** Every lint rule; each reports the code that its file is named after. */
export const lintRules: readonly LintRule[] = [
  operationWithoutScope,
  scopeWithoutDenial,
  bucketWithout429,
  pathIdWithout404,
  unknownErrorCode,
  listWithoutBounds,
  duplicateRuleId,
  ruleNotLocked,
  ruleMissing,
  ruleReused,
  ruleMeaningChanged,
  ruleAboutNothing,
  ruleUnknownQuestion,
  duplicateQuestionId,
  questionWithoutAlternatives,
  unknownQuestion,
  unknownOption,
  exampleInvalid,
  invalidPattern,
  unanchoredPattern,
  unboundedPattern,
];
