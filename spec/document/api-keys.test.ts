import { describe, expect, test } from "vitest";
import type { JsonSchema, Operation } from "../../compiler/contract.ts";
import { answersOf, errorAnswersOf, routeOf } from "./answers.ts";
import {
  documentedKeyFields,
  documentedKeyOperations,
  documentedKeyRequestFields,
  documentedScopeListRefusals,
  documentedSecretField,
} from "./api-keys.ts";
import { documentedScopes, liveKeyStart } from "./authentication.ts";
import { differencesOf, memberDifferences } from "./differences.ts";
import { pairOf } from "./pair-of.ts";
import { readContract } from "./read-contract.ts";
import { admits, alternatives, asSchema, demands, limitedTo, member, memberNames, shapeOf } from "./schema-shape.ts";

const contract = await readContract();
const document = contract.api;
const createRoute = "POST /v1/api-keys";

test("the operations on API keys are the document's", () => {
  const declared = contract.operations.map(routeOf).filter((route) => route.includes(" /v1/api-keys"));
  expect(
    differencesOf(
      declared,
      documentedKeyOperations.map((fact) => fact.route),
    ),
  ).toEqual([]);
});

describe.each(documentedKeyOperations)("$route", ({ route, scope, answers, open, showsSecret, showsShape }) => {
  test("demands its scope, for a key or a session", () => {
    const { scope: declared, caller } = operationAt(route);
    expect({ scope: scope === null ? null : declared, caller }).toEqual({ scope, caller: "key-or-session" });
  });

  test("leaves its success status open, since the document shows none", () => {
    const { allowed, question } = operationAt(route).success;
    expect({ allowed, open: question !== null }).toEqual({ allowed: "2XX", open: true });
  });

  test("declares the error rows that the document gives it, and no other", () => {
    const names = operationAt(route).errors;
    const rows = contract.errors.filter((row) => row.service === "api" && !row.extension);
    expect(answerDifferences(rows.filter((row) => names.includes(row.name)).map(pairOf))).toEqual([]);
  });

  test("shows the same error rows in the OpenAPI document", () => {
    const own = new Set(contract.errors.filter((row) => row.extension).map(pairOf));
    const shown = errorAnswersOf(contract).filter((answer) => answer.route === route);
    expect(answerDifferences(shown.map(({ pair }) => pair).filter((pair) => !own.has(pair)))).toEqual([]);
  });

  test("takes a UUID as the id in its path", () => {
    const { path, method } = operationAt(route);
    const parameters = document.paths[path]?.[method]?.parameters ?? [];
    const inPath = parameters
      .filter((one) => one.in === "path")
      .map((one) => ({ name: one.name, required: one.required, shape: shapeOf(document, one.schema) }));
    expect(inPath).toEqual(route.includes("{id}") ? [{ name: "id", required: true, shape: "string, uuid" }] : []);
  });

  test("answers with the fields of a key, and with the secret only where the document shows it", () => {
    const data = dataOf(route);
    const { name: secret, shape: secretShape } = documentedSecretField;
    const documented: { readonly [field: string]: string } = {
      ...documentedKeyFields,
      ...(showsSecret ? { [secret]: secretShape } : {}),
    };
    const names = memberNames(document, data);
    const facts = Object.entries(documented).map(([name, shape]) => ({ name, shape, always: true }));
    const compared = facts.filter(({ name }) => showsShape || name === secret || names.includes(name));
    expect([
      ...compared.flatMap((fact) => memberDifferences(document, "data", data, fact)),
      ...names.filter((name) => documented[name] === undefined).map((name) => `${name} is not in the document`),
    ]).toEqual([]);
  });

  test("marks the secret as one exactly where it is shown", () => {
    expect(operationAt(route).secrets).toEqual(showsSecret ? [`/${documentedSecretField.name}`] : []);
  });

  function answerDifferences(pairs: readonly string[]): readonly string[] {
    const allowed: readonly string[] = [...answers, ...open];
    return [
      ...answers.filter((pair) => !pairs.includes(pair)).map((pair) => `${pair} is missing`),
      ...pairs.filter((pair) => !allowed.includes(pair)).map((pair) => `${pair} is not in the document`),
    ];
  }
});

const showingSecret = documentedKeyOperations.filter((fact) => fact.showsSecret);

test.each(showingSecret)("the secret in the answer to $route starts as live keys do", ({ route }) => {
  const secret = member(document, dataOf(route), documentedSecretField.name) ?? {};
  const body = "0123456789abcdef0123456789abcdef0123";
  const texts = [`${liveKeyStart}${body}`, body, `x${liveKeyStart}${body}`];
  expect(texts.map((text) => admits(document, secret, text))).toEqual([true, false, false]);
});

describe("the body that creates a key", () => {
  const body = alternatives(document, bodyOf(createRoute))[0] ?? {};
  const scopes = alternatives(document, member(document, body, "scopes") ?? {})[0] ?? {};

  test("has a label and a list of scopes", () => {
    const shapes = memberNames(document, body).map((name) => [
      name,
      shapeOf(document, member(document, body, name) ?? {}),
    ]);
    expect(Object.fromEntries(shapes)).toEqual(documentedKeyRequestFields);
  });

  test("has a label without any rule in the contract, since the document shows none", () => {
    const remarks = ["type", "title", "description", "examples", "example"];
    const keywords = alternatives(document, member(document, body, "label") ?? {}).flatMap((one) => Object.keys(one));
    expect({
      typed: keywords.includes("type"),
      rules: keywords.filter((keyword) => !remarks.includes(keyword)),
      required: demands(document, body, "label"),
    }).toEqual({ typed: true, rules: [], required: false });
  });

  test("has a list of scopes that is not empty and repeats none", () => {
    const { empty, duplicate } = documentedScopeListRefusals;
    expect([scopes[empty], scopes[duplicate]]).toEqual([1, true]);
  });

  test("is refused as documented when that list is empty, repeats a scope or has an unknown one", () => {
    const { empty, duplicate, unknown, answer } = documentedScopeListRefusals;
    const items = alternatives(document, asSchema(scopes.items) ?? {}).flatMap((item) => Object.keys(item));
    const keywords = [empty, duplicate, ...unknown.filter((keyword) => items.includes(keyword))];
    const refused = keywords.map((keyword) => {
      const refusal = operationAt(createRoute).refusals.find(
        (one) => one.pointer === "/scopes" && one.keywords.includes(keyword),
      );
      return contract.errors.filter((row) => row.name === refusal?.row).map(pairOf);
    });
    expect({ some: keywords.length > 2, refused }).toEqual({ some: true, refused: keywords.map(() => [answer]) });
  });

  test("admits every documented scope, and no word without an area and an action", () => {
    const items = alternatives(document, asSchema(scopes.items) ?? {});
    const taken = (value: string) =>
      items.some((item) => (limitedTo(document, item) ?? [value]).includes(value) && admits(document, item, value));
    expect({ refused: documentedScopes.filter((value) => !taken(value)), word: taken("apikeys") }).toEqual({
      refused: [],
      word: false,
    });
  });
});

function operationAt(route: string): Operation {
  const found = contract.operations.find((operation) => operation.service === "api" && routeOf(operation) === route);
  if (found === undefined) throw new Error(`The contract has no operation ${route}.`);
  return found;
}

function dataOf(route: string): JsonSchema {
  const success = answersOf(contract).find((answer) => answer.route === route && answer.status.startsWith("2"));
  return member(document, success?.schema ?? {}, "data") ?? {};
}

function bodyOf(route: string): JsonSchema {
  const { path, method } = operationAt(route);
  return document.paths[path]?.[method]?.requestBody?.content["application/json"]?.schema ?? {};
}
