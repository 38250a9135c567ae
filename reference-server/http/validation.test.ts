import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../generated/runtime/json.ts";
import type { OperationSchemas } from "../../generated/runtime/operation.ts";
import { validatorsOf } from "./validation.ts";

const schemasWith = (more: Partial<OperationSchemas>): OperationSchemas => ({
  path: null,
  query: null,
  headers: null,
  body: null,
  bodyMedia: "application/json",
  bodyRequired: true,
  referenceBody: null,
  answer: { type: "object" },
  answerMedia: "application/json",
  ...more,
});

/** Pointers and keywords of what is wrong with a body. */
function faults(body: JsonSchema, value: unknown, unknownFields: "ignored" | "refused" = "ignored", more = {}) {
  const validate = validatorsOf(schemasWith({ body, ...more }), { unknownFields }).body;
  return validate?.(value).map(({ pointer, keyword }) => `${pointer} ${keyword}`);
}

const uuid = { $ref: "#/components/schemas/Uuid" };

describe("validation", () => {
  it("finds every violation, and the place of what is missing", () => {
    const schema = { type: "object", required: ["a/b", "c"], properties: { c: uuid, d: { type: "integer" } } };
    expect(faults(schema, { c: "x", d: "1" })).toEqual(["/a~1b required", "/c format", "/d type"]);
  });

  it("reads references to components, below other schemas too", () => {
    expect(faults({ type: "array", items: { anyOf: [uuid, { type: "null" }] } }, [null, "x"])).toContain("/1 format");
    const id = "0b8e4a55-6d1c-4f0e-9a43-7d0f5a1c2b3d";
    expect(faults(uuid, id.toUpperCase())).toEqual([]);
    expect(faults(uuid, `urn:uuid:${id}`)).toEqual([" format"]);
  });

  it("demands what the reference demands beyond the contract", () => {
    const more = { referenceBody: { type: "object", required: ["label"] } };
    expect(faults({ type: "object" }, {}, "ignored", more)).toEqual(["/label required"]);
  });

  it("fills in defaults of requests, not of answers", () => {
    const schema = { type: "object", properties: { kind: { type: "string", default: "plain" } } };
    const validators = validatorsOf(schemasWith({ body: schema, answer: schema }), { unknownFields: "ignored" });
    const [body, answer]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
    validators.body?.(body);
    validators.answer(answer);
    expect([body, answer]).toEqual([{ kind: "plain" }, {}]);
  });

  it("refuses unknown members by choice only", () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    expect(faults(schema, { a: "x", b: 1 })).toEqual([]);
    expect(faults(schema, { a: "x", b: 1 }, "refused")).toEqual(["/b unevaluatedProperties"]);
  });

  it("compares items by value, whatever the order of their members", () => {
    const schema = { type: "array", uniqueItems: true };
    expect(
      faults(schema, [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ]),
    ).toEqual([" uniqueItems"]);
    expect(faults(schema, [1, "1", true, null, [1], { a: 1 }])).toEqual([]);
  });

  it("stops at the first violation of a large body", () => {
    const validators = validatorsOf(schemasWith({ body: { type: "array", items: { type: "string" } } }), {
      unknownFields: "ignored",
    });
    expect(validators.largeBody?.([1, 2, 3])).toHaveLength(1);
  });

  it("does not take inherited members for given ones", () => {
    expect(faults({ type: "object", required: ["constructor", "toString"] }, {})).toHaveLength(2);
  });

  it("says what is wanted in words", () => {
    const schema = {
      type: "object",
      required: ["gone"],
      properties: {
        type: { type: "integer" },
        format: uuid,
        enum: { enum: ["a", "b"] },
        short: { type: "string", minLength: 2 },
        long: { type: "string", maxLength: 1 },
        pattern: { type: "string", pattern: "^x$" },
        items: { type: "array", minItems: 1 },
        least: { type: "number", minimum: 3 },
      },
    };
    const value = { type: "", format: "", enum: "c", short: "", long: "ab", pattern: "y", items: [], least: 2 };
    const said = validatorsOf(schemasWith({ body: schema }), { unknownFields: "ignored" }).body?.(value) ?? [];
    expect(said.map(({ says }) => says)).toEqual([
      "is required",
      "must be an integer",
      "must be a valid uuid",
      "must be one of a, b",
      "must have at least 2 character(s)",
      "must have at most 1 characters",
      "must match ^x$",
      "must hold at least 1 item(s)",
      "must be >= 3",
    ]);
  });
});
