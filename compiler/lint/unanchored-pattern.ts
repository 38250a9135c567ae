import { beginsAtStart } from "../schema/pattern-cost.ts";
import { patternTree } from "../schema/pattern-tree.ts";
import { breach, type LintRule } from "./lint-rule.ts";
import { patternsIn } from "./patterns-in.ts";

/**
 * A pattern says where it begins: JSON Schema searches it anywhere in a text, which is hardly ever meant. Every
 * alternative needs its own `^`, else `^a|b` also takes "xb". An open end stays allowed, as in `^svc_`: a prefix is
 * a common demand, and who means an open beginning can say so with `^.*`.
 */
export const unanchoredPattern: LintRule = (contract, context) =>
  patternsIn(contract, context).flatMap(({ pattern, of, place }) => {
    const tree = patternTree(pattern);
    if (tree === null || beginsAtStart(tree)) return [];
    return breach(
      "unanchored-pattern",
      place,
      `The pattern ${pattern} of the ${of} does not begin with ^ in every alternative: it may match in the middle of a text.`,
      "Begin it with ^ (around alternatives: ^(a|b)$), and end it with $ unless more may follow. Write ^.* where anything may stand before.",
    );
  });
