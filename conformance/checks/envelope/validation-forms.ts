import { isDeepStrictEqual } from "node:util";
import { takesKeys } from "../../context/caller-of.ts";
import { check } from "../../context/check.ts";
import type { CallInput } from "../../context/context.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { type ApiOperation, apiOperations } from "../../context/for-each-operation.ts";
import { type Exchange, errorOf, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { onUnknownRecord, withFlaws } from "../../steps/flaws.ts";
import { readScope } from "../../steps/grantable.ts";
import { ownKey } from "../../steps/own-key.ts";

/** Faults that a server may answer in the form for fields of a body; which of them it does is open. */
const fieldFaults: readonly (readonly [ApiOperation, CallInput])[] = apiOperations
  .filter(takesKeys)
  .flatMap((operation) =>
    withFlaws(operation, onUnknownRecord(operation, {}) ?? {}).map((input) => [operation, input] as const),
  );

/** The two statuses of a failed validation, side by side. */
export const validationForms = check({
  id: "envelope.validation-forms",
  title: "A failed validation has one body shape under both of its statuses",
  rules: ["ENV-19"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: sumOfDraws(fieldFaults.map(([{ draws }]) => callDraws(draws, 1))),
  sharedKeys: [[readScope]],
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    await ownKey(t, tenant);
    const path = await t.call("getApiKey", { path: { id: "not-a-uuid" } }, main);
    if (!answeredBy(path, "ValidationFailed400")) {
      throw new Blocked(`a malformed id was answered ${summaryOf(path)}`, "see KEYG-09 first", "server");
    }
    for (const [{ id }, input] of fieldFaults.filter(([operation]) => t.serves(operation.id))) {
      const field = await t.call(id, input, main);
      if (!answeredBy(field, "ValidationFailed")) continue;
      t.equal("ENV-19", "the documented members", shapeOf(path), shapeOf(field), path, field);
      const members = typesOf(errorOf(path));
      t.verify("ENV-19", isDeepStrictEqual(members, typesOf(errorOf(field))), {
        expected: `error with ${Object.keys(typesOf(errorOf(field))).join(", ")}`,
        actual: Object.keys(members).join(", "),
        exchanges: [path, field],
        // Members beyond the document may depend on the fault.
        warnOnly: true,
      });
      return;
    }
    throw new NotApplicable("the target answered no fault of a body in the other form");
  },
});

/** Documented members of an error body with their types; the names in `details` differ by nature, their values' type does not. */
function shapeOf(exchange: Exchange): object {
  const body = exchange.outcome.kind === "response" ? objectOf(exchange.outcome.json) : null;
  const error = errorOf(exchange);
  const { code, message, request_id, details } = typesOf(error);
  return {
    success: body?.success,
    error: { code, message, request_id, details },
    details: [...new Set(Object.values(typesOf(objectOf(error?.details))))],
  };
}

const typesOf = (value: Readonly<Record<string, unknown>> | null): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(value ?? {}).map(([name, member]) => [name, Array.isArray(member) ? "array" : typeof member]),
  );
