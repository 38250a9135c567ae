import { expect, it } from "vitest";
import { includes } from "../inclusion.ts";
import type { JsonSchema } from "../json-schema.ts";
import { Work } from "./work.ts";

const few = { steps: 1_000, stepsInAll: 5_000, milliseconds: null };

/** Texts of a pattern that are far longer than a matcher that tracks back gets through. */
const long = 5_000;

it.each([
  "^(a+)+$",
  "^(a|a)*b$",
  "^(\\w+\\s?)*$",
  "^(a?){40}a{40}$",
  "\\s*\\s*\\s*$",
  "^(?=(x+)+y)x",
  "^(?!(x+)+y)[a-z]{3,}$",
  "^(a|a)*\\1b$",
  "^(?:.{0,200}x){0,200}$",
  "^(.{0,30}a){30}$",
  "^(?:a|b|c|[a-z]{0,20}){50}$",
])("compares texts of %s within counted steps", { timeout: 60_000 }, (pattern) => {
  const texts = (more: JsonSchema): JsonSchema => ({ type: "string", pattern, ...more });
  const among = (one: JsonSchema, other: JsonSchema): string =>
    includes({ schema: one, components: {} }, { schema: other, components: {} }, "letter", new Work(few)).kind;
  expect(among(texts({}), texts({ pattern: `${pattern}|^zz` }))).not.toBe("not-included");
  expect(among(texts({ minLength: long }), texts({}))).toBe("included");
  expect(among(texts({}), texts({ maxLength: 1 }))).not.toBe("included");
  expect(among(texts({ minLength: long }), { type: "string", pattern: "^[a-z]" })).toBeDefined();
});
