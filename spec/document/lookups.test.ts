import { describe, expect, test } from "vitest";
import { mainService } from "../../compiler/service-of.ts";
import { routeOf } from "./answers.ts";
import { declaredOperation } from "./declared-operation.ts";
import { fieldDifferences } from "./field-differences.ts";
import { documentedIdempotency, documentedLookupFields, documentedLookupOperations } from "./lookups.ts";
import { readContract } from "./read-contract.ts";

const contract = await readContract();
const { document } = mainService(contract);

describe.each(documentedLookupOperations)("the answer to $route", ({ route }) => {
  const { operation, body, data } = declaredOperation(contract, route);

  test("has what is known of a lookup", () => {
    expect(fieldDifferences(document, "data", data, documentedLookupFields)).toEqual([]);
  });

  test("is declared as open", () => {
    const subjects = [operation.id, ...[body?.schema, data].map((schema) => String(schema?.$ref).split("/").at(-1))];
    const asked = contract.questions.filter(({ kind, about }) => kind === "shape" && subjects.includes(about));
    expect(asked.length).toBeGreaterThan(0);
  });
});

test("the routes that move money take an idempotency key, and may be called without one", () => {
  const { header, routes } = documentedIdempotency;
  const taking = contract.operations.filter((one) => one.service === "api" && one.idempotencyHeader !== null);
  expect(taking.map(routeOf).toSorted()).toEqual([...routes].toSorted());
  for (const { idempotencyHeader } of taking) expect(idempotencyHeader).toBe(header);
  const shown = routes.flatMap((route) => declaredOperation(contract, route).parameters);
  expect(shown.map((one) => ({ name: one.name, in: one.in, required: one.required === true }))).toEqual(
    routes.map(() => ({ name: header, in: "header", required: false })),
  );
});
