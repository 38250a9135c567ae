import { describe, expect, it } from "vitest";
import { openEnum } from "../../spec/vocabulary/extensions.ts";
import type { JsonSchema } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: JsonSchema): JsonSchema => ({ type: "object", properties });
const kinds = (...values: readonly string[]): JsonSchema => ({ type: "string", enum: values });
const open = (schema: JsonSchema): JsonSchema => ({ ...schema, [openEnum]: true });

const body = object({ kind: ref("Kind"), others: { type: "array", items: ref("Kind") }, note: ref("Note") });
const note = (maxLength: number): JsonSchema => ({ type: "string", maxLength });

function changes(direction: "request" | "response", base: JsonSchema, head: JsonSchema, lengths = [9, 9]) {
  const [before = 9, after = 9] = lengths;
  return diff(
    documentOf(direction, body, { Kind: base, Note: note(before) }),
    documentOf(direction, body, { Kind: head, Note: note(after) }),
    { includes, extent: "document" },
  ).map(({ id, verdict, edit }) => `${id} ${verdict} ${edit.at}`);
}

const atKind = "/components/schemas/Kind";

describe("an answer's open enum", () => {
  it("may have a new value, which is risky, at each of its places by one edit", () => {
    const found = changes("response", open(kinds("a")), open(kinds("a", "b")));
    expect(new Set(found)).toEqual(new Set([`open-enum-extended risky ${atKind}`]));
  });

  it("whose value goes promises more", () => {
    const found = changes("response", open(kinds("a", "b")), open(kinds("a")));
    expect(new Set(found)).toEqual(new Set([`response-body-narrowed safe ${atKind}`]));
  });

  it("that is closed no more is breaking, as new values could follow", () => {
    expect(new Set(changes("response", kinds("a"), open(kinds("a"))))).toEqual(
      new Set([`enum-opened breaking ${atKind}`]),
    );
  });

  it("that gives way to a value of another type is breaking", () => {
    const found = changes("response", open(kinds("a")), {
      ...open(kinds("a")),
      type: ["string", "null"],
      enum: ["a", null],
    });
    expect(found).toContain(`response-body-widened breaking ${atKind}`);
  });

  it("hides no other change of the same answer", () => {
    const found = changes("response", open(kinds("a")), open(kinds("a", "b")), [5, 9]);
    expect(found).toContain(`open-enum-extended risky ${atKind}`);
    expect(found).toContain("response-body-widened breaking /components/schemas/Note");
  });
});

it("a closed enum of an answer that has a new value is breaking", () => {
  const found = changes("response", kinds("a"), kinds("a", "b"));
  expect(new Set(found)).toEqual(new Set([`response-body-widened breaking ${atKind}`]));
});

it("an open enum of a request is judged as any other: a value that goes is refused", () => {
  const found = changes("request", open(kinds("a", "b")), open(kinds("a")));
  expect(new Set(found)).toEqual(new Set([`request-body-narrowed breaking ${atKind}`]));
});

describe("an enum of an answer that another extension declares open", () => {
  const extensible = (...values: readonly string[]): JsonSchema => ({ type: "string", "x-extensible-enum": values });
  const named = (modelAsString: boolean, ...values: readonly string[]): JsonSchema => ({
    ...kinds(...values),
    "x-ms-enum": { name: "Kind", modelAsString },
  });

  it("may have a new value, which is risky", () => {
    for (const enumOf of [extensible, (...values: readonly string[]) => named(true, ...values)]) {
      const found = changes("response", enumOf("a"), enumOf("a", "b"));
      expect(new Set(found)).toEqual(new Set([`open-enum-extended risky ${atKind}`]));
    }
  });

  it("is closed where the extension says so", () => {
    const found = changes("response", named(false, "a"), named(false, "a", "b"));
    expect(new Set(found)).toEqual(new Set([`response-body-widened breaking ${atKind}`]));
  });

  it("takes the place of any text without a new value", () => {
    const found = changes("response", { type: "string" }, extensible("a"));
    expect(new Set(found)).toEqual(new Set([`response-body-narrowed safe ${atKind}`]));
  });
});
