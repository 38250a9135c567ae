import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../contract.ts";
import { includes, type Reading } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";

/** What is told, as `verdict: edit`, each once. */
function told(
  direction: "request" | "response",
  base: JsonSchema,
  head: JsonSchema,
  reading: Reading = "names",
): readonly string[] {
  const changes = diff(documentOf(direction, base), documentOf(direction, head), {
    includes: (one, other) => includes(one, other, reading),
    ...{ extent: "document", reading },
  });
  return [...new Set(changes.map(({ verdict, message }) => `${verdict}: ${message.split(" in the ")[0]}`))].sort();
}

const text: JsonSchema = { type: "string" };
const object = (properties: JsonSchema, ...required: readonly string[]): JsonSchema => ({
  type: "object",
  properties,
  required,
});
const apart = [object({ kind: { const: "a" } }, "kind"), object({ kind: { const: "b" } }, "kind")];
const alike = [object({ a: text }, "a"), object({ b: text }, "b")];

describe("oneOf in place of anyOf, and back", () => {
  it("says nothing where no value is of two alternatives", () => {
    expect(told("request", { anyOf: apart }, { oneOf: apart })).toEqual([]);
    expect(told("response", { oneOf: apart }, { anyOf: apart })).toEqual([]);
  });

  it("is risky where values may be of two, and breaking by the letter", () => {
    expect(told("request", { anyOf: alike }, { oneOf: alike })).toEqual(["risky: oneOf in place of anyOf"]);
    expect(told("request", { anyOf: alike }, { oneOf: alike }, "letter")).toEqual([
      "breaking: oneOf in place of anyOf",
    ]);
    expect(told("request", { oneOf: alike }, { anyOf: alike })).toEqual(["safe: anyOf in place of oneOf"]);
    expect(told("response", { oneOf: alike }, { anyOf: alike })).toEqual(["risky: anyOf in place of oneOf"]);
    expect(told("response", { anyOf: alike }, { oneOf: alike })).toEqual(["safe: oneOf in place of anyOf"]);
  });

  it("hides no alternative that went, nor one that is narrower", () => {
    const three = [...alike, { type: "integer" }];
    expect(told("request", { anyOf: three }, { oneOf: alike })).toContainEqual(
      expect.stringMatching(/^breaking: `integer`/),
    );
    const narrower = [object({ a: { type: "string", maxLength: 9 } }, "a"), object({ b: text }, "b")];
    expect(told("request", { anyOf: alike }, { oneOf: narrower })).toContainEqual("breaking: maxLength 9 added");
  });
});

describe("alternatives of a oneOf that overlap", () => {
  const [, b] = alike;
  it("anew are risky where they were none, and breaking by the letter", () => {
    const one = object({ a: text, b: text }, "a");
    const [base, head] = [{ oneOf: [one, text] }, { oneOf: [one, b ?? {}, text] }];
    expect(told("request", base, head)).toContainEqual(expect.stringMatching(/^risky: alternative .* added$/));
    expect(told("request", base, head, "letter")).toContainEqual(
      expect.stringMatching(/^breaking: alternative .* added$/),
    );
    expect(told("request", head, base)).toContainEqual(expect.stringMatching(/^(risky|safe)/));
  });

  it("no longer say of an answer what most hold to anyway", () => {
    const narrower = { oneOf: [object({ a: text, b: { const: 1 } }, "a", "b"), object({ b: text }, "b")] };
    expect(told("response", { oneOf: alike }, narrower).filter((one) => one.startsWith("breaking"))).toEqual([]);
  });

  it("since one of them asks for less are told where they do", () => {
    const [base, head] = [
      [object({ q: text, all: text }, "q"), object({ all: text }, "all")],
      [object({ q: text, all: text }), object({ all: text }, "all")],
    ];
    expect(told("request", { oneOf: base }, { oneOf: head })).toContainEqual("risky: property `q` made optional");
  });

  it("hide no narrowing beside", () => {
    const [base, head] = [
      { oneOf: [object({ a: text, c: text }, "a"), text] },
      { oneOf: [object({ a: text, c: { type: "string", maxLength: 3 } }, "a"), b ?? {}, text] },
    ];
    expect(told("request", base, head)).toContainEqual("breaking: maxLength 3 added");
  });
});

describe("a schema beside another alternative", () => {
  const list: JsonSchema = { type: "array", items: text };
  it("is compared with the alternative of its type", () => {
    expect(told("request", object({ a: list }), object({ a: { oneOf: [text, { ...list, minItems: 1 }] } }))).toEqual([
      "breaking: minItems 1 added",
      "safe: `string` is taken now",
    ]);
    expect(told("request", object({ a: { oneOf: [text, list] } }), object({ a: { ...list, minItems: 1 } }))).toEqual([
      "breaking: `string` is taken no longer",
      "breaking: minItems 1 added",
    ]);
  });

  it("is more where the alternative says the same", () => {
    expect(told("request", object({ a: list }), object({ a: { oneOf: [text, list] } }))).toEqual([
      "safe: type array → array or string",
    ]);
  });
});

describe("alternatives in place of an object", () => {
  const why = (base: JsonSchema, head: JsonSchema): readonly (readonly [verdict: string, overlaps: boolean])[] =>
    diff(documentOf("request", base), documentOf("request", head), {
      includes: (one, other) => includes(one, other, "names"),
      extent: "document",
    })
      .filter(({ verdict }) => verdict !== "safe")
      .map(({ verdict, message }) => [verdict, message.includes("of several alternatives")] as const);

  it("of which a value is none are not said to overlap", () => {
    expect(
      why(object({ a: text }), { oneOf: [object({ a: text, b: text }, "b"), object({ a: text, c: text }, "c")] }),
    ).toEqual([["breaking", false]]);
  });

  it("of which a value is several are", () => {
    expect(
      why(object({ a: text }), { ...object({ a: text }), oneOf: alike.map((one) => ({ ...one, required: [] })) }),
    ).toEqual([["risky", true]]);
  });
});
