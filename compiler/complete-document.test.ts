import { describe, expect, test } from "vitest";
import { completeDocument } from "./complete-document.ts";
import type { ErrorRow, OpenApiDocument, Operation } from "./contract.ts";

const place = { file: "spec/things.tsp", line: 1, column: 1 };

const operation: Operation = {
  id: "getThing",
  service: "api",
  resource: "things",
  method: "get",
  path: "/things/{id}",
  summary: "",
  scope: null,
  scopeQuestion: null,
  scopeExemption: null,
  caller: "key-or-session",
  callerQuestion: null,
  draws: [],
  changes: "nothing",
  idempotencyHeader: null,
  list: false,
  listQuestion: null,
  pageSize: null,
  pageSizeQuestion: null,
  continuation: null,
  payload: ["data"],
  success: { allowed: 200, reference: 200, question: null },
  errors: ["Denied", "Blocked"],
  shortages: [],
  refusals: [],
  optionalRefusals: [],
  narrowings: [],
  secrets: [],
  place,
};

const row = (name: string, code: string, when: string): ErrorRow => ({
  name,
  service: "api",
  code,
  status: 403,
  referenceStatus: 403,
  details: { kind: "none" },
  when,
  extension: false,
  anywhere: false,
  notOffered: null,
  headers: [],
  place,
});

const rows = [row("Blocked", "BLOCKED", "it is blocked"), row("Denied", "DENIED", "it is denied")];

const document: OpenApiDocument = {
  openapi: "3.1.0",
  info: { title: "Things", version: "1.0.0" },
  paths: {
    "/things/{id}": {
      get: {
        operationId: "Things_getThing",
        responses: { "200": { description: "A thing." }, "403": { description: "Forbidden" } },
      },
    },
  },
  components: { schemas: {} },
};

describe("completing a document", () => {
  const completed = completeDocument(document, "api", [operation], rows).paths["/things/{id}"]?.get;

  test("an operation is called by its id in the contract", () => {
    expect(completed?.operationId).toBe("getThing");
  });

  test("an error answer describes every row that may stand behind its status", () => {
    expect(completed?.responses["403"]?.description).toBe("`DENIED`: it is denied. `BLOCKED`: it is blocked.");
  });

  test("a success answer keeps its description", () => {
    expect(completed?.responses["200"]?.description).toBe("A thing.");
  });

  test("an operation of another service stays as it is", () => {
    const other = completeDocument(document, "sandbox", [operation], rows);
    expect(other).toEqual(document);
  });

  test("a parameter that several operations share stands in each of them", () => {
    const limit = { name: "limit", in: "query", required: false, schema: { type: "integer" } } as const;
    const referring = {
      ...document,
      paths: {
        "/things": { get: { responses: {}, parameters: [{ $ref: "#/components/parameters/Page.limit" }] } },
      },
      components: { ...document.components, parameters: { "Page.limit": limit } },
    } as unknown as OpenApiDocument;
    const inlined = completeDocument(referring, "api", [], []);
    expect(inlined.paths["/things"]?.get?.parameters).toEqual([limit]);
    expect(inlined.components).not.toHaveProperty("parameters");
  });
});
