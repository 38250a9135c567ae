import { breach, type LintRule } from "./lint-rule.ts";

/** A locked rule is still declared, unless the lock says that it was retired. */
export const ruleMissing: LintRule = (contract, { lock }) => {
  const declared = new Set(contract.rules.map((rule) => rule.id));
  return (lock?.entries ?? [])
    .filter((entry) => !entry.retired && !declared.has(entry.id))
    .map(({ id, line }) =>
      breach(
        "rule-missing",
        { file: lock?.file ?? "", line, column: 1 },
        `${id} is locked but no longer declared.`,
        'Declare it again, or run "npx bylaw lock" to retire it: its id is then never used again.',
      ),
    );
};
