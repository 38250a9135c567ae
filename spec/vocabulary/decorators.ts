import { answerDecorators } from "./answer-decorators.ts";
import { eventDecorators } from "./event-decorators.ts";
import { limitDecorators } from "./limit-decorators.ts";
import { question, rule } from "./rule-decorators.ts";
import { scopeDecorators } from "./scope-decorators.ts";
import { serviceDecorators } from "./service-decorators.ts";

export { describeOperations as $onValidate } from "./describe-operations.ts";
export { $lib } from "./library.ts";

/** The decorators that `main.tsp` declares. */
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
