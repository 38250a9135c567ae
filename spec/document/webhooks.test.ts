import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../compiler/contract.ts";
import { mainService } from "../../compiler/service-of.ts";
import { declaredOperation } from "./declared-operation.ts";
import { fieldDifferences, valueDifferences } from "./field-differences.ts";
import { readContract } from "./read-contract.ts";
import { alternatives, demands, member, memberNames, shapeOf } from "./schema-shape.ts";
import {
  documentedEndpointFields,
  documentedEndpointSecret,
  documentedSecretFlag,
  documentedWebhookOperations,
} from "./webhooks.ts";

const contract = await readContract();
const { document } = mainService(contract);
const shownWith = [documentedEndpointSecret.name, documentedSecretFlag.name];
const showing = documentedWebhookOperations.filter(({ shows }) => shows === "endpoint and secret");
const perhaps = documentedWebhookOperations.filter(({ shows }) => shows === "perhaps endpoint");
const notShown = documentedWebhookOperations.filter(({ shows }) => shows === "not shown");

describe.each(showing)("the answer to $route", ({ route }) => {
  const { operation, data } = declaredOperation(contract, route);

  test("has the fields of an endpoint, its secret and the note on it, and no other", () => {
    const documented = [...documentedEndpointFields.map((fact) => fact.name), ...shownWith];
    const extra = memberNames(document, data).filter((name) => !documented.includes(name));
    expect([
      ...fieldDifferences(document, "data", data, [...documentedEndpointFields, documentedSecretFlag]),
      ...extra.map((name) => `${name} is not in the document`),
    ]).toEqual([]);
  });

  test("has a secret in base64, always", () => {
    const { name, allowed, ruledOut } = documentedEndpointSecret;
    const secret = member(document, data, name) ?? {};
    // OpenAPI says base64 through a keyword that validators take as a remark, through a format, or through a pattern.
    const remark = alternatives(document, secret).every(({ contentEncoding }) => contentEncoding === "base64");
    const refused = ruledOut.filter((value) => !(remark && typeof value === "string"));
    expect({
      shape: shapeOf(document, secret).replace(/, (byte|base64)$/, ""),
      always: demands(document, data, name),
      differences: valueDifferences(document, name, secret, { allowed, ruledOut: refused }),
    }).toEqual({ shape: "string", always: true, differences: [] });
  });

  test("has its secret marked as one", () => {
    expect(operation.secrets).toEqual([`/${documentedEndpointSecret.name}`]);
  });

  test("needs no body, and names no field of one", () => {
    const { body } = declaredOperation(contract, route);
    expect({ required: body?.required === true, fields: memberNames(document, body?.schema ?? {}) }).toEqual({
      required: false,
      fields: [],
    });
  });
});

describe.each(perhaps)("the answer to $route", ({ route }) => {
  const { operation, data } = declaredOperation(contract, route);
  const names = memberNames(document, data);

  test("has no field that an endpoint lacks, and those that it has as an endpoint has them", () => {
    const compared = documentedEndpointFields.filter((fact) => names.includes(fact.name));
    const extra = names.filter((name) => !documentedEndpointFields.some((fact) => fact.name === name));
    expect([
      ...fieldDifferences(
        document,
        "data",
        data,
        compared.map((fact) => ({ ...fact, always: false })),
      ),
      ...extra.map((name) => `${name} is not in the document`),
    ]).toEqual([]);
  });

  test("has no secret", () => {
    expect(operation.secrets).toEqual([]);
  });
});

describe.each(notShown)("the answer to $route", ({ route }) => {
  const { operation, data } = declaredOperation(contract, route);

  test("shows no endpoint's secret, and marks any other as one", () => {
    const secrets = memberNames(document, data).filter((name) => {
      const shape = shapeOf(document, member(document, data, name) ?? {});
      return /secret/i.test(name) && shape.startsWith("string");
    });
    const isOfEndpoint = route.includes("/{id}");
    expect({ shown: isOfEndpoint ? secrets : [], marked: operation.secrets }).toEqual({
      shown: [],
      marked: isOfEndpoint ? [] : secrets.map((name) => `/${name}`),
    });
  });
});

test.each([...perhaps, ...notShown])("what $route takes and answers is declared as open", ({ route }) => {
  const { operation, body, data } = declaredOperation(contract, route);
  const subjects = [operation.id, modelOf(body?.schema ?? {}), modelOf(data)];
  const asked = contract.questions.filter(({ kind, about }) => kind === "shape" && subjects.includes(about));
  expect(asked.length).toBeGreaterThan(0);
});

/** Name of the model that a schema refers to; empty when it refers to none. */
function modelOf({ $ref }: JsonSchema): string {
  return typeof $ref === "string" ? $ref.replace("#/components/schemas/", "") : "";
}
