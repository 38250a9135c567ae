import { serviceOf } from "../service-of.ts";
import { breach, type LintRule } from "./lint-rule.ts";
import { calledName } from "./rows-of-operation.ts";

/** An operation of the API names the scope that it needs, or says why it needs none. */
export const operationWithoutScope: LintRule = (contract) =>
  contract.operations
    .filter((o) => !serviceOf(contract, o.service).testing && o.scope === null && o.scopeExemption === null)
    .map((operation) =>
      breach(
        "operation-without-scope",
        operation.place,
        `${calledName(operation)} names no scope and no reason to need none.`,
        'Add @scope(Scope.…), or @scopeExempt("why it needs none").',
      ),
    );
