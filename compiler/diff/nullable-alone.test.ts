import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../contract.ts";
import { includes, type Reading } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";

const ref: JsonSchema = { $ref: "#/components/schemas/U" };
const components = { U: { type: "object", properties: { a: { type: "string" } } } };
const bare: JsonSchema = { allOf: [ref] };
const flagged: JsonSchema = { ...bare, nullable: true };

function told(
  direction: "request" | "response",
  base: JsonSchema,
  head: JsonSchema,
  reading: Reading = "names",
): readonly string[] {
  const [one, other] = [base, head].map((u) =>
    documentOf(direction, { type: "object", properties: { u } }, components, "3.0"),
  );
  if (one === undefined || other === undefined) return [];
  const options = { includes: (a: Parameters<typeof includes>[0], b: typeof a) => includes(a, b, reading), reading };
  return diff(one, other, { ...options, extent: "document" }).map(
    ({ verdict, id, message }) => `${verdict} ${id}: ${message}`,
  );
}

describe("nullable without a type, in OpenAPI 3.0", () => {
  it("is told as null that may be answered, and says that this is no reading by the letter", () => {
    expect(told("response", bare, flagged)).toEqual([
      "risky null-perhaps-answered: nullable added in the 200 answer at /u: it says nothing by the letter of OpenAPI; where it is meant, whether null may come differs.",
    ]);
  });

  it.each<[string, JsonSchema, JsonSchema]>([
    ["allOf", bare, flagged],
    ["anyOf", { anyOf: [ref] }, { anyOf: [ref], nullable: true }],
    ["$ref", ref, { ...ref, nullable: true }],
    ["a reference wrapped for it", ref, flagged],
    ["an enum", { enum: ["a"] }, { enum: ["a"], nullable: true }],
    ["an enum with a type", { type: "string", enum: ["a"] }, { type: "string", enum: ["a"], nullable: true }],
    ["a type, of a part", bare, { allOf: [ref, { type: "object", nullable: true }] }],
    ["a type, and a part", { ...bare, type: "object" }, { ...bare, type: "object", nullable: true }],
  ])("is one change for who reads and who sends, either way: beside %s", (_, without, flag) => {
    const kinds = (...sides: Parameters<typeof told>) => told(...sides).map((one) => one.split(":")[0]);
    expect(kinds("response", without, flag)).toEqual(["risky null-perhaps-answered"]);
    expect(kinds("response", flag, without)).toEqual(["safe null-perhaps-gone"]);
    expect(kinds("request", without, flag)).toEqual(["safe null-perhaps-taken"]);
    expect(kinds("request", flag, without)).toEqual(["risky null-perhaps-refused"]);
    expect(told("response", without, flag, "letter")).toEqual([]);
    expect(told("request", flag, without, "letter")).toEqual([]);
  });

  it("is no second change where null is admitted by the letter", () => {
    const typed: JsonSchema = { type: "object", nullable: true, properties: { a: { type: "string" } } };
    expect(told("response", typed, flagged).filter((one) => one.includes("null-perhaps"))).toEqual([]);
    expect(told("request", flagged, typed).filter((one) => one.includes("null-perhaps"))).toEqual([]);
    expect(told("response", bare, { ...bare, nullable: false })).toEqual([]);
    const listed: JsonSchema = { type: "string", nullable: true, enum: ["a", null] };
    const unlisted: JsonSchema = { type: "string", nullable: true, enum: ["a"] };
    expect(told("response", unlisted, listed).map((one) => one.split(":")[0])).toEqual([
      "breaking response-body-widened",
    ]);
    const union: JsonSchema = { oneOf: [ref, { type: "object", nullable: true }] };
    expect(told("response", { oneOf: [ref] }, union).filter((one) => one.includes("null-perhaps"))).toEqual([]);
  });
});
