import type { Program } from "@typespec/compiler";
import { answerDecorators } from "./answer-decorators.ts";
import { describeOperations } from "./describe-operations.ts";
import { eventDecorators } from "./event-decorators.ts";
import { limitDecorators } from "./limit-decorators.ts";
import { lintDeclarations } from "./lint-declarations.ts";
import { question, rule } from "./rule-decorators.ts";
import { scopeDecorators } from "./scope-decorators.ts";
import { serviceDecorators } from "./service-decorators.ts";

export { $lib } from "./library.ts";

/** What is done once a program is checked. */
export function $onValidate(program: Program): void {
  describeOperations(program);
  lintDeclarations(program);
}

/** The decorators that the files beside it declare. */
export const $decorators = {
  Bylaw: {
    rule,
    question,
    ...serviceDecorators,
    ...scopeDecorators,
    ...limitDecorators,
    ...answerDecorators,
    ...eventDecorators,
  },
};
