import { describe, expect, test } from "vitest";
import { mainService } from "../../compiler/service-of.ts";
import { errorAnswersOf } from "./answers.ts";
import { declaredOperation } from "./declared-operation.ts";
import { errorWithData } from "./error-rows.ts";
import { fieldDifferences } from "./field-differences.ts";
import { documentedNumberOperations, documentedShortage, documentedUpdateFields } from "./phone-numbers.ts";
import { readContract } from "./read-contract.ts";
import { member } from "./schema-shape.ts";

const contract = await readContract();
const { document } = mainService(contract);

describe.each(documentedNumberOperations)("the answer to $route", ({ route }) => {
  test("is declared as open", () => {
    const { operation, body, data } = declaredOperation(contract, route);
    const subjects = [operation.id, ...[body?.schema, data].map((schema) => String(schema?.$ref).split("/").at(-1))];
    const asked = contract.questions.filter(({ kind, about }) => kind === "shape" && subjects.includes(about));
    expect(asked.length).toBeGreaterThan(0);
  });
});

test("an update takes the document's fields, and refuses any other one as the document says", () => {
  const { operation, body } = declaredOperation(contract, "PATCH /v1/phone-numbers/{id}");
  const name = String(body?.schema.$ref).split("/").at(-1) ?? "";
  const schema = document.components.schemas[name];
  expect(Object.keys(Object(schema?.properties)).toSorted()).toEqual([...documentedUpdateFields].toSorted());
  expect(schema).toMatchObject({ unevaluatedProperties: { not: {} } });
  expect(operation.refusals).toEqual([expect.objectContaining({ pointer: "", row: "InvalidInput" })]);
});

test("an order that cannot be met in full tells what can be had and what cannot", () => {
  const found = errorAnswersOf(contract).find(
    ({ route, pair }) => route === errorWithData.route && pair === errorWithData.pair,
  );
  const data = member(document, found?.schema ?? {}, "data") ?? {};
  expect(fieldDifferences(document, "data", data, documentedShortage)).toEqual([]);
});
