import { describe, expect, test } from "vitest";
import { mainService } from "../../compiler/service-of.ts";
import { errorAnswersOf, routeOf } from "./answers.ts";
import { documentedNumberParameters } from "./contacts.ts";
import { declaredOperation } from "./declared-operation.ts";
import { differencesOf } from "./differences.ts";
import { changesByMethod } from "./documented-operation.ts";
import { documentedShortages } from "./error-rows.ts";
import { documentedOperations } from "./operations.ts";
import { pairOf } from "./pair-of.ts";
import { readContract } from "./read-contract.ts";
import { shapeOf } from "./schema-shape.ts";

const contract = await readContract();
const { document } = mainService(contract);

test("each operation of the contract is typed here from the document, and each one typed here is in the contract", () => {
  const declared = contract.operations.filter(({ service }) => service === "api").map(routeOf);
  const documented = documentedOperations.map(({ route }) => route);
  const advice = "type what is missing in spec/document/<resource>.ts: from the API document, never from the spec";
  expect(differencesOf(declared, documented), advice).toEqual([]);
});

describe.each(documentedOperations)("$route", ({ route, scope, caller = "key-or-session", changes, answers, open }) => {
  const { operation, parameters } = declaredOperation(contract, route);

  test("demands its scope, for a key or a session, or for a session alone", () => {
    // Where the document names none, the contract must say that its scope is the reference's choice.
    const declared = operation.scopeQuestion === null ? operation.scope : null;
    expect({ scope: declared, caller: operation.caller }).toEqual({ scope, caller });
  });

  test("changes what the document tells of its calls, else what its method does", () => {
    expect(operation.changes).toBe(changes ?? changesByMethod[route.split(" ")[0] ?? ""]);
  });

  test("may find too little of what the document says, and of nothing else", () => {
    const declared = contract.errors.filter((row) => operation.errors.includes(row.name));
    const expected = new Set(declared.flatMap(({ code }) => documentedShortages[code] ?? []));
    expect(differencesOf(operation.shortages, [...expected])).toEqual([]);
  });

  test("leaves its success status open, since the document shows none", () => {
    const { allowed, question } = operation.success;
    expect({ allowed, open: question !== null }).toEqual({ allowed: "2XX", open: true });
  });

  test("declares the error rows that the document gives it, and no other", () => {
    const rows = contract.errors.filter((row) => row.service === "api" && !row.extension);
    expect(answerDifferences(rows.filter((row) => operation.errors.includes(row.name)).map(pairOf))).toEqual([]);
  });

  test("shows the same error rows in the OpenAPI document", () => {
    const own = new Set(contract.errors.filter((row) => row.extension).map(pairOf));
    const shown = errorAnswersOf(contract).filter((answer) => answer.route === route);
    expect(answerDifferences(shown.map(({ pair }) => pair).filter((pair) => !own.has(pair)))).toEqual([]);
  });

  test("takes a UUID as the id in its path, and a text as the number there", () => {
    const inPath = parameters
      .filter((one) => one.in === "path")
      .map((one) => ({ name: one.name, required: one.required, shape: shapeOf(document, one.schema) }));
    const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(inPath).toEqual(
      names.map((name = "") => {
        const shape = documentedNumberParameters.includes(name) ? "string" : "string, uuid";
        return { name, required: true, shape };
      }),
    );
  });

  test("refuses a body with no other answer than it may give", () => {
    const rows = contract.errors.filter((row) => operation.refusals.some((refusal) => refusal.row === row.name));
    const allowed: readonly string[] = [...answers, ...open];
    expect(rows.map(pairOf).filter((pair) => !allowed.includes(pair))).toEqual([]);
  });

  function answerDifferences(pairs: readonly string[]): readonly string[] {
    const allowed: readonly string[] = [...answers, ...open];
    return [
      ...answers.filter((pair) => !pairs.includes(pair)).map((pair) => `${pair} is missing`),
      ...pairs.filter((pair) => !allowed.includes(pair)).map((pair) => `${pair} is not in the document`),
    ];
  }
});
