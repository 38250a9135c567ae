import { expect, it } from "vitest";
import type { JsonSchema } from "../contract.ts";
import { includes, Work } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const names = Array.from({ length: 9 }, (_, index) => `Way${index}`);

/** Alternatives that nothing tells apart, with patterns that nobody decides about; some of them are edited. */
const components = (edited: readonly string[]): Record<string, JsonSchema> =>
  Object.fromEntries(
    names.map((name) => [
      name,
      {
        type: "object",
        properties: {
          [name]: { type: "string" },
          x: { type: "string", pattern: edited.includes(name) ? "^(?=x)[a-z]{4,9}(?!c)$" : "^(?=x)[a-z]{3,9}(?!b)$" },
        },
      },
    ]),
  );

const why = (union: JsonSchema, edited: readonly string[], steps = 2_000): readonly string[] =>
  diff(
    documentOf("response", { type: "object", properties: { items: { type: "array", items: union } } }, components([])),
    documentOf(
      "response",
      { type: "object", properties: { items: { type: "array", items: union } } },
      components(edited),
    ),
    {
      includes: (one, other) =>
        includes(one, other, "names", new Work({ steps, stepsInAll: steps * 8, milliseconds: null })),
      extent: "document",
    },
  ).map(({ evidence }) => (evidence?.kind === "unproven" ? evidence.why : "shown"));

it.each(["oneOf", "anyOf"])(
  "names the alternatives of %s that differ where it was not decided what they admit",
  (keyword) => {
    const [told = "", ...more] = why({ [keyword]: names.map(ref) }, ["Way2", "Way5"]);
    expect(more).toEqual([]);
    expect(told).toMatch(
      / Of the alternatives at \/items\/\* 2 differ \(Way2, Way5\), and 7 are the same on both sides\.$/,
    );
  },
);

it("names one that has a title by it, and tells of none where there is no union", () => {
  const titled: JsonSchema = { anyOf: [{ title: "A way", ...ref("Way1") }, { type: "integer" }] };
  expect(why(titled, ["Way1"]).at(0)).toMatch(/one differs \(Way1\), and 1 is the same/);
  expect(why(ref("Way1"), ["Way1"]).at(0)).not.toContain("alternative");
});

it("names those that differ where the work did not suffice to tell a place", () => {
  expect(why({ anyOf: names.map(ref) }, ["Way3"], 3).at(0)).toMatch(
    /steps of work\. Of the alternatives .+ one differs \(Way3\)/,
  );
});
