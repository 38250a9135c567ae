import { describe, expect, it } from "vitest";
import type { Contract, Json } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { contractOf } from "./fixtures/document-of.ts";
import type { JsonObject } from "./json-at.ts";

const documentWith = (scheme: Json, name = "Way"): Contract => {
  const operation = { security: [{ [name]: [] }], responses: { "204": { description: "Done." } } };
  return contractOf({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/a": { get: operation }, "/b": { get: operation } },
    components: { schemas: {}, securitySchemes: { [name]: scheme } },
  });
};

/** What is told of the first of the operations, and where the edit stands. */
const told = (base: Contract, head: Contract) =>
  diff(base, head, { includes, extent: "document" })
    .filter(({ operation }) => operation === "GET /a")
    .map(({ id, edit, message }) => [id, edit.at, message.slice(0, message.lastIndexOf(":"))]);

const key = (name: string): JsonObject => ({ type: "apiKey", in: "header", name });
const granted = (...flows: readonly (readonly [flow: string, host: string])[]): JsonObject => ({
  type: "oauth2",
  flows: Object.fromEntries(flows.map(([flow, host]) => [flow, { tokenUrl: `https://${host}.example/t`, scopes: {} }])),
});

describe("a security scheme", () => {
  it("that asks for something else is told once, with what it asks for", () => {
    expect(told(documentWith(key("X-Key")), documentWith(key("X-Api-Key")))).toEqual([
      ["security-tightened", "/components/securitySchemes/Way", "security scheme Way: name X-Key → name X-Api-Key"],
    ]);
  });

  it("under another name is no change", () => {
    expect(told(documentWith(key("X-Key")), documentWith(key("X-Key"), "Other"))).toEqual([]);
  });

  it("whose tokens are got elsewhere takes those that were got", () => {
    const [base, head] = [granted(["password", "a"]), granted(["password", "b"])];
    expect(told(documentWith(base), documentWith(head))).toEqual([
      [
        "token-address-changed",
        "/components/securitySchemes/Way",
        "security scheme Way: password tokenUrl https://a.example/t → password tokenUrl https://b.example/t",
      ],
    ]);
  });

  it("with one more flow breaks nobody, with one fewer who used it", () => {
    const [less, more] = [granted(["password", "a"]), granted(["password", "a"], ["clientCredentials", "a"])];
    expect(told(documentWith(less), documentWith(more))).toEqual([]);
    expect(told(documentWith(more), documentWith(less))).toMatchObject([
      ["security-tightened", "/components/securitySchemes/Way", expect.stringContaining("flow clientCredentials")],
    ]);
  });
});

describe("a path parameter", () => {
  const at = (path: string, name: string): Contract => {
    const parameters = [{ name, in: "path", required: true, schema: { type: "string" } }];
    const operation = { parameters, responses: { "204": { description: "Done." } } };
    return contractOf({
      ...{ openapi: "3.1.0", info: { title: "T", version: "1" }, components: { schemas: {} } },
      paths: { [path]: { get: operation } },
    });
  };

  it("is the one that the path names, though it was declared by another name", () => {
    const changes = diff(at("/a/{a_id}", "id"), at("/a/{a_id}", "a_id"), { includes, extent: "document" });
    expect(changes).toEqual([]);
  });
});
