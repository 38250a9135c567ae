import { describe, expect, it } from "vitest";
import { includes } from "../schema/inclusion.ts";
import { diff } from "./diff.ts";
import { contractOf } from "./fixtures/document-of.ts";
import { renamedPairs } from "./fixtures/renamed-pairs.ts";
import type { JsonObject } from "./json-at.ts";

/** Ids of what is told, once for each edit. */
function told(base: JsonObject, head: JsonObject): readonly string[] {
  const changes = diff(contractOf(base), contractOf(head), { includes, extent: "document" });
  const edits = new Map(changes.map(({ id, edit }) => [JSON.stringify([id, edit]), id]));
  return [...edits.values()].sort();
}

describe("what has another name", () => {
  it.each(renamedPairs)("$name", ({ base, head, forth, back }) => {
    expect({ forth: told(base, head), back: told(head, base) }).toEqual({ forth, back });
  });
});
