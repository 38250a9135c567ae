import { describe, expect, it } from "vitest";
import { standardSchemas } from "./standard-schema.ts";

interface Shape {
  readonly id: string;
  readonly parts?: readonly Shape[];
}

const schemaOf = standardSchemas({
  Id: { type: "string", format: "uuid", "x-shown": true },
  Shape: {
    type: "object",
    required: ["id"],
    properties: {
      id: { $ref: "#/components/schemas/Id", description: "Its id." },
      parts: { type: "array", items: { $ref: "#/components/schemas/Shape" } },
    },
  },
});

const shape = schemaOf<Shape>("Shape")["~standard"];
const id = "018f4e9a-7c1e-7b3a-9d2f-5c6b7a8d9e0f";

describe("a Standard Schema of a component", () => {
  it("gives the value itself where it is valid", () => {
    const value = { id, parts: [{ id }], constructor: 1 };
    const validated = shape.validate(value);
    expect(validated.issues).toBeUndefined();
    expect("value" in validated && validated.value).toBe(value);
  });

  it("names everything that is wrong, with the way to it", () => {
    const { issues = [] } = shape.validate({ id: "a", parts: [{ id }, {}, 3] });
    expect(issues.map(({ path }) => path.join("."))).toEqual(["id", "parts.1.id", "parts.2"]);
    expect(issues.every(({ message }) => message.length > 0)).toBe(true);
  });

  it("says which version of the standard it is", () => {
    expect([shape.version, shape.vendor]).toEqual([1, "bylaw"]);
  });

  it("is not made of what does not exist", () => {
    expect(() => schemaOf("Circle")["~standard"].validate({})).toThrow("There is no component Circle.");
  });
});
