import type { Contract } from "../contract.ts";
import { breach, type LintRule } from "./lint-rule.ts";

/** A rule speaks about something that the contract has. */
export const ruleAboutNothing: LintRule = (contract, { declarations }) => {
  const known = new Set([...namesIn(contract), ...declarations.keys()]);
  return contract.rules
    .filter(({ about }) => !known.has(about) && !known.has(about.split(".", 1)[0] ?? ""))
    .map((rule) =>
      breach(
        "rule-about-nothing",
        rule.place,
        rule.about === ""
          ? `${rule.id} speaks about something without a name.`
          : `${rule.id} speaks about ${rule.about}, which holds no operation, error row, model or other fact.`,
        "Put the rule on the operation, error row or model that it binds.",
      ),
    );
};

/** Names of everything that a contract holds, whichever reader made it. */
function namesIn(contract: Contract): readonly string[] {
  return [
    ...contract.operations.flatMap((o) => [o.id, o.resource]),
    ...contract.errors.map((row) => row.name),
    ...contract.services.flatMap(({ document }) => Object.keys(document.components.schemas)),
    ...contract.buckets.map((bucket) => bucket.name),
    ...contract.bounds.map((bound) => bound.name),
    ...contract.constants.map((constant) => constant.name),
    ...contract.scopes.map((scope) => scope.name),
    ...contract.entities.map((entity) => entity.name),
  ];
}
