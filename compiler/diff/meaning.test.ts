import { describe, expect, it } from "vitest";
import { includes } from "../schema/inclusion.ts";
import type { Change } from "./change.ts";
import { diff } from "./diff.ts";
import { documentOf } from "./fixtures/document-of.ts";
import { sameMeanings, type Written } from "./fixtures/same-meaning.ts";
import { subtleChanges } from "./fixtures/subtle-changes.ts";

const directions = ["request", "response"] as const;

const changes = (direction: "request" | "response", one: Written, other: Written) =>
  diff(
    documentOf(direction, one.schema, one.components, one.dialect),
    documentOf(direction, other.schema, other.components, other.dialect),
    { includes, extent: "document", reading: "letter" },
  );

/** Neither safe nor told of a member by its name: what is not sent any more no schema refuses. */
const isFelt = ({ id, verdict }: Change): boolean => verdict !== "safe" && !id.endsWith("property-removed");

describe("the same said in two ways is no change for anyone", () => {
  it.each(sameMeanings)("$name", ({ one, other }) => {
    for (const direction of directions) {
      expect(changes(direction, one, other)).toEqual([]);
      expect(changes(direction, other, one)).toEqual([]);
    }
  });
});

describe("a small narrowing breaks who sends, and a small widening who reads", () => {
  it("there are many ways to do it", () => {
    expect(new Set(subtleChanges.map(({ name }) => name)).size).toBe(subtleChanges.length);
    expect(subtleChanges.length).toBeGreaterThanOrEqual(60);
  });

  it.each(subtleChanges)("$name", ({ wide, narrow, components, narrowComponents }) => {
    const [one, other] = [
      { schema: wide, components },
      { schema: narrow, components: narrowComponents },
    ];
    expect(changes("request", one, other)).toMatchObject([
      {
        id: expect.stringMatching(/^(?:request-body-narrowed|alternatives-overlap|unnamed-members-refused)$/),
        verdict: "breaking",
        evidence: { kind: "value", refusedBy: "head" },
      },
    ]);
    expect(changes("response", other, one)).toMatchObject([
      {
        id: expect.stringMatching(/^(?:response-body-widened|alternatives-overlap)$/),
        verdict: "breaking",
        evidence: { kind: "value", refusedBy: "base" },
      },
    ]);
    // The other way round nobody breaks, but who used a member that is gone.
    expect(changes("request", other, one).filter(isFelt)).toEqual([]);
    expect(changes("response", one, other).filter(isFelt)).toEqual([]);
  });
});
