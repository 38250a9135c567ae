import { expect, it } from "vitest";
import { includes } from "../inclusion.ts";
import type { JsonSchema } from "../json-schema.ts";

const text: JsonSchema = { type: "string" };

/** Events of a list, each of which has what all have and what is its own; told apart by a member that all have. */
function eventsOf(count: number): JsonSchema {
  const kinds = Array.from({ length: count }, (_, index) => ({
    type: "object",
    required: ["kind", "data"],
    properties: {
      ...{ kind: { type: "string", const: `k${index}` }, id: text, at: { ...text, format: "date-time" } },
      data: { type: "object", required: [`of_${index}`], properties: { [`of_${index}`]: text } },
    },
  }));
  const all = { type: "object", required: ["id", "kind", "data", "at"], properties: { kind: text, data: {} } };
  const page = { type: "object", required: ["after"], properties: { after: { type: ["string", "null"] } } };
  const list = { type: "array", items: { allOf: [all, { oneOf: kinds }] } };
  return { type: "object", required: ["data", "page"], properties: { data: list, page } };
}

it("shows the one alternative among many that is new", () => {
  const [one, other] = [eventsOf(131), eventsOf(130)].map((schema) => ({ schema, components: {} }));
  if (one === undefined || other === undefined) throw new Error("There are two.");
  expect(includes(one, other, "names")).toMatchObject({ kind: "not-included", place: "/data/*", keyword: "oneOf" });
  expect(includes(other, one, "names")).toEqual({ kind: "included" });
});
