import type { Contract, Place } from "../contract.ts";
import { breach, type LintContext, type LintRule } from "./lint-rule.ts";
import { calledName } from "./rows-of-operation.ts";

interface Use {
  readonly question: string | null;
  /** What leans on the question, as a message names it. */
  readonly by: string;
  readonly place: Place | null;
}

/** What the reference decides beyond the API document answers a question that is declared. */
export const unknownQuestion: LintRule = (contract, context) => {
  const declared = new Set(contract.questions.map((question) => question.id));
  return usesIn(contract, context).flatMap(({ question, by, place }) =>
    question === null || declared.has(question)
      ? []
      : breach(
          "unknown-question",
          place,
          `${by} leans on the open question ${question}, which is not declared.`,
          `Declare it with @@question(…, "${question}", #{ … }), or correct the id.`,
        ),
  );
};

function usesIn(contract: Contract, { declarations }: LintContext): readonly Use[] {
  return [
    ...contract.operations.flatMap((operation) => [
      {
        question: operation.success.question,
        by: `The reference's status of ${calledName(operation)}`,
        place: operation.place,
      },
      { question: operation.scopeQuestion, by: `The scope of ${calledName(operation)}`, place: operation.place },
      { question: operation.callerQuestion, by: `The caller of ${calledName(operation)}`, place: operation.place },
      { question: operation.listQuestion, by: `The list of ${calledName(operation)}`, place: operation.place },
      ...operation.narrowings.map(({ question, pointer }) => ({
        question,
        by: `What the reference demands of ${pointer} in ${calledName(operation)}`,
        place: operation.place,
      })),
    ]),
    ...contract.buckets.map((bucket) => ({
      question: bucket.question,
      by: `The bucket ${bucket.name}`,
      place: bucket.place,
    })),
    ...contract.scopes.map(({ name, value, question }) => ({
      question,
      by: `The scope ${value}`,
      place: declarations.get(name) ?? null,
    })),
  ];
}
