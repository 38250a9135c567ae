import { describe, expect, it } from "vitest";
import { fieldDetails } from "./field-details.ts";

const violation = (pointer: string, says = "is wrong") => ({ pointer, keyword: "type", says });
const byName = { detailsKeys: "name", badFields: "all" } as const;

describe("details of a validation failure", () => {
  it("are named after fields, with dots below them, and after the body as a whole", () => {
    const details = fieldDetails([violation("/label"), violation("/scopes/0/a~1b~0c"), violation("")], byName);
    expect(Object.keys(details)).toEqual(["label", "scopes.0.a/b~c", "body"]);
  });

  it("tell all that is wrong with one field once", () => {
    const details = fieldDetails(
      [violation("/a", "is short"), violation("/a", "is wrong"), violation("/a", "is short")],
      byName,
    );
    expect(details).toEqual({ a: "is short; is wrong" });
  });

  it("are bounded", () => {
    const many = Array.from({ length: 1000 }, (_, index) => violation(`/scopes/${index}`));
    expect(Object.keys(fieldDetails(many, byName))).toHaveLength(50);
  });

  it("take names of prototypes for plain ones", () => {
    const details = fieldDetails([violation("/__proto__")], byName);
    expect(Object.keys(details)).toEqual(["__proto__"]);
  });
});
