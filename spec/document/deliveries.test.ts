import { describe, expect, test } from "vitest";
import type { Json } from "../../compiler/contract.ts";
import { validatorFor } from "../../compiler/schema/validator.ts";
import { mainService } from "../../compiler/service-of.ts";
import { declaredOperation } from "./declared-operation.ts";
import {
  documentedAttemptFields,
  documentedDeliveryOperations,
  documentedListDefaults,
  documentedListParameters,
  documentedReason,
  documentedReplayBodies,
  documentedReplayFields,
  fieldsOpenWithoutAnswer,
  listRoute,
  replayRoute,
} from "./deliveries.ts";
import { differencesOf } from "./differences.ts";
import { documentedMetaMembers } from "./envelope.ts";
import { fieldDifferences, valueDifferences } from "./field-differences.ts";
import { pairOf } from "./pair-of.ts";
import { readContract } from "./read-contract.ts";
import { asSchema, demands, member, memberNames, shapeOf } from "./schema-shape.ts";

const contract = await readContract();
const { document } = mainService(contract);

describe("the list of attempts", () => {
  const { operation, parameters, body, success, data } = declaredOperation(contract, listRoute);
  const attempt = asSchema(data.items) ?? {};

  test("is a page, with the documented meta beside an array", () => {
    const meta = member(document, success, "meta") ?? {};
    const differences = documentedMetaMembers.flatMap((fact) => fieldDifferences(document, "meta", meta, [fact]));
    const extra = differencesOf(
      memberNames(document, meta),
      documentedMetaMembers.map((fact) => fact.name),
    );
    expect({ list: operation.list, data: data.type, differences, extra }).toEqual({
      list: true,
      data: "array",
      differences: [],
      extra: [],
    });
  });

  test("may end with a page whose cursor is absent, null or empty", () => {
    const meta = member(document, success, "meta") ?? {};
    const admits = validatorFor(document.components.schemas).accepts(meta);
    const counts = { total: 0, limit: 50, offset: 0 };
    const last = [counts, { ...counts, next_cursor: null }, { ...counts, next_cursor: "" }];
    expect(last.filter((value) => !admits(value))).toEqual([]);
  });

  test("has the documented fields of an attempt, and no other", () => {
    const names = documentedAttemptFields.map((fact) => fact.name);
    expect([
      ...fieldDifferences(document, "attempt", attempt, documentedAttemptFields),
      ...differencesOf(memberNames(document, attempt), names).map((difference) => `attempt: ${difference}`),
    ]).toEqual([]);
  });

  test.each(fieldsOpenWithoutAnswer)("leaves $name open where no receiver answered", ({ name, empty }) => {
    const schema = member(document, attempt, name) ?? {};
    expect({
      demanded: demands(document, attempt, name),
      differences: valueDifferences(document, name, schema, { allowed: [null, empty] }),
    }).toEqual({ demanded: false, differences: [] });
  });

  test("takes the documented query parameters, and no other", () => {
    const inQuery = parameters.filter((one) => one.in === "query");
    const differences = documentedListParameters.flatMap((fact) => {
      const declared = inQuery.find(({ name }) => name === fact.name);
      if (declared === undefined) return [`${fact.name} is missing`];
      const shape = shapeOf(document, declared.schema);
      return [
        ...(shape === fact.shape ? [] : [`${fact.name} is ${shape}, not ${fact.shape}`]),
        ...(declared.required === true ? [`${fact.name} is required`] : []),
        ...valueDifferences(document, fact.name, declared.schema, fact),
      ];
    });
    const names = documentedListParameters.map((fact) => fact.name);
    const extra = inQuery.map(({ name }) => name).filter((name) => !names.includes(name));
    expect([...differences, ...extra.map((name) => `${name} is not in the document`)]).toEqual([]);
  });

  test("has the documented defaults of its parameters", () => {
    const defaults = parameters.flatMap(({ name, schema }): readonly (readonly [string, Json])[] =>
      schema.default === undefined ? [] : [[name, schema.default]],
    );
    expect(Object.fromEntries(defaults)).toEqual(documentedListDefaults);
  });

  test("takes no body and draws from no bucket", () => {
    expect({ body, draws: operation.draws }).toEqual({ body: null, draws: [] });
  });
});

describe("a replay", () => {
  const { operation, body, data } = declaredOperation(contract, replayRoute);
  const schema = body?.schema ?? {};

  test("answers with the documented fields, and no other", () => {
    const names = documentedReplayFields.map((fact) => fact.name);
    expect([
      ...fieldDifferences(document, "data", data, documentedReplayFields),
      ...differencesOf(memberNames(document, data), names),
    ]).toEqual([]);
  });

  test("takes an object, empty or with a reason of any length", () => {
    expect([
      ...fieldDifferences(document, "body", schema, [documentedReason]),
      ...differencesOf(memberNames(document, schema), [documentedReason.name]),
      ...valueDifferences(document, "body", schema, documentedReplayBodies),
    ]).toEqual([]);
  });

  test("does not demand a reason", () => {
    expect(demands(document, schema, documentedReason.name)).toBe(false);
  });

  test("refuses any bad body as a validation error", () => {
    const rows = contract.errors.filter((row) => operation.refusals.some((refusal) => refusal.row === row.name));
    expect(rows.map(pairOf).filter((pair) => pair !== "422 VALIDATION_FAILED")).toEqual([]);
  });
});

test.each(documentedDeliveryOperations)("$route shows no secret", ({ route }) => {
  expect(declaredOperation(contract, route).operation.secrets).toEqual([]);
});
