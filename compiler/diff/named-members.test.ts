import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import { gravity } from "./change.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";
import { type Gravest, type NamedPair, namedPairs } from "./fixtures/named-members.ts";

type Reading = "names" | "letter";

/** What a pair comes to, forth and back. */
function gravest(direction: "request" | "response", pair: NamedPair, reading: Reading): readonly [Gravest, Gravest] {
  const base = documentOf(direction, pair.base, pair.components);
  const head = documentOf(direction, pair.head, pair.headComponents);
  const between = (one: typeof base, other: typeof base): Gravest => {
    const options = { includes: (...both: Parameters<typeof includes>) => includes(both[0], both[1], reading) };
    const [first] = diff(one, other, { ...options, extent: "document", reading });
    return first?.verdict ?? "none";
  };
  return [between(base, head), between(head, base)];
}

describe("members are compared by name", () => {
  it("in more than a hundred pairs", () => {
    expect(new Set(namedPairs.map(({ name }) => name)).size).toBe(namedPairs.length);
    expect(namedPairs.length).toBeGreaterThan(100);
  });

  it.each(namedPairs.map((pair) => [pair.name, pair] as const))("%s", (_, pair) => {
    const found = { request: gravest("request", pair, "names"), response: gravest("response", pair, "names") };
    expect(found).toEqual({ request: pair.request, response: pair.response });
  });
});

it("by the letter nothing is judged more mildly", () => {
  const rank = (verdict: Gravest): number => (verdict === "none" ? 3 : gravity[verdict]);
  const milder = namedPairs
    .filter((_, index) => index % 7 === 0)
    .filter((pair) => {
      const [forth, back] = gravest("request", pair, "letter");
      return rank(forth) > rank(pair.request[0]) || rank(back) > rank(pair.request[1]);
    });
  expect(milder.map(({ name }) => name)).toEqual([]);
});

describe("of a member that comes or goes", () => {
  const messageOf = (base: JsonSchema, head: JsonSchema): string | undefined => {
    const options = { includes: (...both: Parameters<typeof includes>) => includes(both[0], both[1], "names") };
    const sides = [documentOf("response", base), documentOf("response", head)] as const;
    return diff(...sides, { ...options, extent: "document" })[0]?.message;
  };
  const members = (...names: readonly string[]): JsonSchema => ({
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  });

  it("a closed object says that the schema ruled it out", () => {
    const closed = (schema: JsonSchema): JsonSchema => ({ ...schema, additionalProperties: false });
    expect(messageOf(closed(members("a")), closed(members("a", "b")))).toMatch(
      /^optional property `b` added in .*ruled it out/,
    );
  });

  it("one that is said in another part, and asked for no longer, is made optional", () => {
    const head = { type: "object", allOf: [{ properties: { a: { type: "string" } } }] };
    expect(messageOf({ ...members("a"), required: ["a"] }, head)).toMatch(/^property `a` made optional in /);
  });

  it("its name is told where a part brought it, beside the part", () => {
    expect(messageOf({ allOf: [members("total"), members("next")] }, { allOf: [members("total")] })).toMatch(
      /^optional property `next` removed in [^(]* \(part .* removed\): /,
    );
  });
});
