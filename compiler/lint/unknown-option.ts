import { breach, type LintRule } from "./lint-rule.ts";
import { calledName } from "./rows-of-operation.ts";

/** What an option decides names one that a question has; where it decides error rows, its values are such. */
export const unknownOption: LintRule = ({ operations, questions, errors }) => {
  const options = new Map(questions.flatMap(({ option }) => (option === null ? [] : [[option.name, option.values]])));
  const rows = new Set(errors.map(({ name }) => name));
  return operations.flatMap((operation) => [
    ...operation.narrowings.flatMap(({ pointer, requiredBy }) =>
      requiredBy === null || options.has(requiredBy)
        ? []
        : breach(
            "unknown-option",
            operation.place,
            `${pointer} in ${calledName(operation)} is required by the option ${requiredBy}, which no open question has.`,
            "Name the option of a @@question.",
          ),
    ),
    ...operation.optionalRefusals.flatMap(({ pointer, option }) =>
      options.get(option)?.every((value) => rows.has(value))
        ? []
        : breach(
            "unknown-option",
            operation.place,
            `${pointer} in ${calledName(operation)} is refused by the option ${option}, whose values are no error rows.`,
            "Name the option of a @@question whose values are names of error rows.",
          ),
    ),
  ]);
};
