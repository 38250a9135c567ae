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

describe("a security scheme in place of another", () => {
  const schemes = Object.fromEntries(["Old", "New", "Key", "Team", "Else"].map((name) => [name, key(`X-${name}`)]));
  const securedBy = (...operations: readonly (readonly Json[])[]): Contract =>
    contractOf({
      ...{ openapi: "3.1.0", info: { title: "T", version: "1" } },
      paths: Object.fromEntries(
        operations.map((security, index) => [
          `/${index}`,
          { get: { security, responses: { "204": { description: "Done." } } } },
        ]),
      ),
      components: { schemas: {}, securitySchemes: schemes },
    });

  /** The edits, with the operations that each reaches. */
  const edits = (base: readonly (readonly Json[])[], head: readonly (readonly Json[])[]) => {
    const changes = diff(securedBy(...base), securedBy(...head), { includes, extent: "document" });
    const groups = Map.groupBy(changes, ({ message }) => message.slice(0, message.indexOf(":")));
    return [...groups].map(([what, all]) => {
      expect(new Set(all.map(({ edit: { before, after } }) => JSON.stringify([before, after]))).size).toBe(1);
      return [
        all[0]?.verdict,
        what,
        [...new Set(all.map(({ operation }) => operation?.slice("GET /".length)))].join(""),
      ];
    });
  };
  const needs = (...names: readonly string[]): Json => Object.fromEntries(names.map((name) => [name, []]));
  const [Old, New, Key, Team, Else] = [needs("Old"), needs("New"), needs("Key"), needs("Team"), needs("Else")];
  const [both, renewed] = [needs("Old", "Team"), needs("New", "Team")];

  it("is one edit, whatever suffices beside it and is needed with it", () => {
    const base = [[Old], [Key, Old], [Old, Key, Team], [both], [both, Key]];
    const head = [[New], [Key, New], [Team, Key, New], [renewed], [Key, renewed]];
    expect(edits(base, head)).toEqual([["breaking", "Security New in place of Old", "01234"]]);
    expect(edits(head, base)).toEqual([["breaking", "Security Old in place of New", "01234"]]);
  });

  it("is told apart from what comes beside it in some operations, or goes", () => {
    const [base, head] = [
      [[Old], [Old, Key]],
      [[New], [New, Key, Else]],
    ];
    expect(edits(base, head)).toEqual([
      ["breaking", "Security New in place of Old", "01"],
      ["safe", "Security Else suffices too", "1"],
    ]);
    expect(edits(head, base)).toEqual([
      ["breaking", "Security Old in place of New", "01"],
      ["breaking", "Security Else suffices no longer", "1"],
    ]);
  });

  it("is told as gone where each operation has another in its place", () => {
    expect(edits([[Old], [Old]], [[New], [Else]])).toEqual([
      ["breaking", "Security Old suffices no longer", "01"],
      ["safe", "Security New suffices too", "0"],
      ["safe", "Security Else suffices too", "1"],
    ]);
  });

  it("is not that one more is needed, or one fewer", () => {
    expect(edits([[Old], [Old, Key]], [[both], [both, Key]])).toEqual([
      ["breaking", "Security Old and Team in place of Old", "01"],
    ]);
    expect(edits([[both], [both, Key]], [[Old], [Old, Key]])).toEqual([
      ["safe", "Security Old in place of Old and Team", "01"],
    ]);
  });

  it("is one edit too where several go at once", () => {
    expect(
      edits(
        [
          [Old, Key],
          [Key, Old, Team],
        ],
        [[New], [New, Team]],
      ),
    ).toEqual([["breaking", "Security New in place of Key or Old", "01"]]);
    expect(edits([[]], [[Old]])).toEqual([["breaking", "Security Old in place of none", "0"]]);
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
