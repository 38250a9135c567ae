import { describe, expect, test } from "vitest";
import type { Operation } from "../../compiler/contract.ts";
import { mainService } from "../../compiler/service-of.ts";
import { answersOf, routeOf } from "./answers.ts";
import { basePath } from "./authentication.ts";
import { differencesOf } from "./differences.ts";
import { mediaType, requestIdHeader } from "./envelope.ts";
import { readContract } from "./read-contract.ts";
import { alternatives, asSchema, shapeOf } from "./schema-shape.ts";

const contract = await readContract();
const { document } = mainService(contract);
const operations = contract.operations.filter((operation) => operation.service === "api");

describe("operations", () => {
  const answers = answersOf(contract);

  test("the OpenAPI document has the same operations", () => {
    const shown = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(differencesOf(shown, operations.map(routeOf))).toEqual([]);
  });

  test("every path is under the base path", () => {
    expect(Object.keys(document.paths).filter((path) => !path.startsWith(basePath))).toEqual([]);
  });

  test("every operation takes a bearer token and nothing else", () => {
    expect(operations.filter((operation) => !takesBearerOnly(operation)).map(routeOf)).toEqual([]);
  });

  test("every answer is JSON and carries the request id", () => {
    const differences = answers.flatMap(({ route, status, response }) => {
      const header = response.headers?.[requestIdHeader];
      const carried = header?.required === true && shapeOf(document, header.schema) === "string";
      const media = Object.keys(response.content ?? {}).join(", ");
      return [
        ...(carried ? [] : [`${route} ${status}: ${requestIdHeader} is missing`]),
        ...(media === mediaType ? [] : [`${route} ${status}: ${media || "no body"}`]),
      ];
    });
    expect({ some: answers.length > 0, differences }).toEqual({ some: true, differences: [] });
  });

  test("every refusal for a limit, and no other answer, says how many seconds to wait", () => {
    const differing = answers.filter(({ status, response }) => {
      const header = response.headers?.["Retry-After"];
      if (status !== "429") return header !== undefined;
      const [schema] = header === undefined ? [] : alternatives(document, header.schema);
      return header?.required !== true || schema?.type !== "integer" || schema.minimum !== 1;
    });
    const limited = answers.filter(({ status }) => status === "429").map(({ route }) => route);
    const drawing = operations.filter(({ draws }) => draws.length > 0).map(routeOf);
    expect({ limited, differing: differing.map(({ route, status }) => `${route} ${status}`) }).toEqual({
      limited: drawing,
      differing: [],
    });
  });
});

function takesBearerOnly({ path, method }: Operation): boolean {
  const requirements = document.paths[path]?.[method]?.security ?? document.security;
  const names = Array.isArray(requirements) ? requirements.flatMap((one) => Object.keys(asSchema(one) ?? {})) : [];
  const schemes = asSchema(document.components.securitySchemes) ?? {};
  const bearer = names.filter((name) => {
    const scheme = asSchema(schemes[name]);
    return scheme?.type === "http" && String(scheme.scheme).toLowerCase() === "bearer";
  });
  return names.length > 0 && bearer.length === names.length;
}
