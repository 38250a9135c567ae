import { breach, type LintRule } from "./lint-rule.ts";

const fix = 'Run "npx bylaw lock" and commit the lock file.';

/** Every rule id stands in the lock, so that none is ever used for something else. */
export const ruleNotLocked: LintRule = (contract, { lock }) => {
  if (lock === null) {
    const [first] = contract.rules;
    if (first === undefined) return [];
    const message = `There is no lock of rule ids yet, for ${contract.rules.length} rule(s).`;
    return [breach("rule-not-locked", first.place, message, fix)];
  }
  const locked = new Set(lock.entries.map((entry) => entry.id));
  return contract.rules
    .filter((rule) => !locked.has(rule.id))
    .map((rule) => breach("rule-not-locked", rule.place, `${rule.id} does not stand in ${lock.file}.`, fix));
};
