import { describe, expect, it } from "vitest";
import { queryParameters, typed } from "./request-parameters.ts";

const schema = {
  type: "object",
  properties: {
    limit: { type: "integer" },
    ratio: { type: "number" },
    active: { type: "boolean" },
    name: { type: "string" },
    tags: { type: "array", items: { type: "string" } },
    id: { $ref: "#/components/schemas/Uuid" },
  },
} as const;

describe("parameters of a query", () => {
  it("become what their schema wants, where the text is one", () => {
    expect(queryParameters("limit=-5&ratio=0.25&active=true&name=7&id=x", schema)).toEqual({
      limit: -5,
      ratio: 0.25,
      active: true,
      name: "7",
      id: "x",
    });
  });

  it.each(["", " 1", "0x10", "1e3", "01", "+1", "1_000", "NaN", "Infinity"])("keep %j, which is no number", (text) => {
    expect(queryParameters(new URLSearchParams({ limit: text }).toString(), schema)).toEqual({ limit: text });
  });

  it("keep a text that is no boolean", () => {
    expect(queryParameters("active=TRUE", schema)).toEqual({ active: "TRUE" });
  });

  it("are lists where the schema has one, and where a name is given twice", () => {
    expect(queryParameters("tags=a", schema)).toEqual({ tags: ["a"] });
    expect(queryParameters("tags=a&tags=b&limit=1&limit=2", schema)).toEqual({ tags: ["a", "b"], limit: ["1", "2"] });
  });

  it("are decoded, and are plain members whatever their names", () => {
    expect(queryParameters("name=%C3%BC+x%ZZ", schema)).toEqual({ name: "ü x%ZZ" });
    const odd = queryParameters("__proto__=1&constructor=2", schema);
    expect(Object.keys(odd).toSorted()).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(odd)).toBe(Object.prototype);
  });
});

describe("parameters of a path", () => {
  it("are typed in the same way", () => {
    expect(
      typed(
        [
          ["limit", "7"],
          ["name", "7"],
        ],
        schema,
      ),
    ).toEqual({ limit: 7, name: "7" });
  });

  it("are ids in lower case", () => {
    const ofIds = { type: "object", properties: { id: { $ref: "#/components/schemas/Uuid" } } };
    const id = "0b8e4a55-6d1c-4f0e-9a43-7d0f5a1c2b3d";
    expect(typed([["id", id.toUpperCase()]], ofIds)).toEqual({ id });
    expect(queryParameters(`id=${id.toUpperCase()}`, ofIds)).toEqual({ id });
  });
});
