import { patternTree } from "../schema/pattern-tree.ts";
import { breach, type LintRule } from "./lint-rule.ts";
import { patternsIn } from "./patterns-in.ts";

/** Every pattern is a regular expression of ECMA-262 with the flag `u`, as JSON Schema 2020-12 reads it. */
export const invalidPattern: LintRule = (contract, context) =>
  patternsIn(contract, context)
    .filter(({ pattern }) => patternTree(pattern) === null)
    .map(({ pattern, of, place }) =>
      breach(
        "invalid-pattern",
        place,
        `The pattern ${pattern} of the ${of} is no regular expression with the flag "u".`,
        'Escape only what has a meaning ("\\-" outside a class is an error), and close every group and class.',
      ),
    );
