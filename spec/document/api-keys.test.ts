import { describe, expect, test } from "vitest";
import { mainService } from "../../compiler/service-of.ts";
import {
  documentedKeyFields,
  documentedKeyOperations,
  documentedKeyRequestFields,
  documentedScopeListRefusals,
  documentedSecretField,
} from "./api-keys.ts";
import { documentedScopes, liveKeyStart } from "./authentication.ts";
import { declaredOperation } from "./declared-operation.ts";
import { memberDifferences } from "./differences.ts";
import { pairOf } from "./pair-of.ts";
import { readContract } from "./read-contract.ts";
import { admits, alternatives, asSchema, demands, limitedTo, member, memberNames, shapeOf } from "./schema-shape.ts";

const contract = await readContract();
const { document } = mainService(contract);

describe.each(documentedKeyOperations)("$route", ({ route, showsSecret, showsShape }) => {
  const { operation, data } = declaredOperation(contract, route);

  test("answers with the fields of a key, and with the secret only where the document shows it", () => {
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
    expect(operation.secrets).toEqual(showsSecret ? [`/${documentedSecretField.name}`] : []);
  });
});

const showingSecret = documentedKeyOperations.filter((fact) => fact.showsSecret);

test.each(showingSecret)("the secret in the answer to $route starts as live keys do", ({ route }) => {
  const secret = member(document, declaredOperation(contract, route).data, documentedSecretField.name) ?? {};
  const body = "0123456789abcdef0123456789abcdef0123";
  const texts = [`${liveKeyStart}${body}`, body, `x${liveKeyStart}${body}`];
  expect(texts.map((text) => admits(document, secret, text))).toEqual([true, false, false]);
});

describe("the body that creates a key", () => {
  const create = declaredOperation(contract, "POST /v1/api-keys");
  const body = alternatives(document, create.body?.schema ?? {})[0] ?? {};
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
      const refusal = create.operation.refusals.find(
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
