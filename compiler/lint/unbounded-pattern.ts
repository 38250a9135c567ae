import { patternTree } from "../schema/pattern-tree.ts";
import { backtracksExponentially } from "./exponential-backtracking.ts";
import { breach, type LintRule } from "./lint-rule.ts";
import { patternsIn } from "./patterns-in.ts";

const findings = {
  no: null,
  yes: {
    message: "can read the same text in exponentially many ways.",
    fix: "Let no repetition stand directly in another, as in (a+)+, and let the alternatives in it begin differently.",
  },
  "too large to tell": {
    message: "is too large to tell whether it always ends in time.",
    fix: "Make it smaller: fewer counted repetitions in one another.",
  },
} as const;

/** No pattern makes a validator try exponentially many ways: a client's short text could stop a server. */
export const unboundedPattern: LintRule = (contract, context) =>
  patternsIn(contract, context).flatMap(({ pattern, of, place }) => {
    const tree = patternTree(pattern);
    const finding = tree === null ? null : findings[backtracksExponentially(tree)];
    return finding === null
      ? []
      : breach("unbounded-pattern", place, `The pattern ${pattern} of the ${of} ${finding.message}`, finding.fix);
  });
