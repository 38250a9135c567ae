import { breach, type LintRule } from "./lint-rule.ts";

/** A rule leans on questions that are declared. */
export const ruleUnknownQuestion: LintRule = (contract) => {
  const declared = new Set(contract.questions.map((question) => question.id));
  return contract.rules.flatMap((rule) =>
    rule.questions
      .filter((id) => !declared.has(id))
      .map((id) =>
        breach(
          "rule-unknown-question",
          rule.place,
          `${rule.id} leans on the open question ${id}, which is not declared.`,
          `Declare it with @@question(…, "${id}", #{ … }), or correct the id.`,
        ),
      ),
  );
};
