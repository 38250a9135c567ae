import { breach, type LintRule } from "./lint-rule.ts";

/** A question that a client can see names other lawful answers; one that it cannot says why. */
export const questionWithoutAlternatives: LintRule = (contract) =>
  contract.questions
    .filter((q) => (q.kind === "internal" ? !q.reason : q.alternatives.length === 0 && !q.tolerates))
    .map((question) =>
      breach(
        "question-without-alternatives",
        question.place,
        question.kind === "internal"
          ? `${question.id} is internal but does not say why no client can tell.`
          : `${question.id} is open but names no other lawful answer.`,
        question.kind === "internal"
          ? "Give it a reason."
          : "List alternatives, say what the kit tolerates, or make it internal with a reason.",
      ),
    );
