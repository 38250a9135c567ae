import { describe, expect, it } from "vitest";
import type { Contract } from "../contract.ts";
import { includes } from "../schema/inclusion.ts";
import { gravity } from "./change.ts";
import { diff } from "./diff.ts";
import { contractOf } from "./fixtures/document-of.ts";
import type { Gravest } from "./fixtures/named-members.ts";
import { operationPairs } from "./fixtures/operation-pairs.ts";
import type { JsonObject } from "./json-at.ts";

const scheme = (name: string): JsonObject => ({ type: "apiKey", in: "header", name });

const documentWith = (operation: JsonObject): Contract =>
  contractOf({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/things": { put: operation } },
    components: { schemas: {}, securitySchemes: { a: scheme("A"), b: scheme("B"), o: scheme("O") } },
  });

function gravest(base: JsonObject, head: JsonObject): Gravest {
  const changes = diff(documentWith(base), documentWith(head), { includes, extent: "document" });
  const [first] = changes.map(({ verdict }) => verdict).sort((one, other) => gravity[one] - gravity[other]);
  return first ?? "none";
}

describe("an edit of an operation and its reverse", () => {
  it.each(operationPairs)("$name", ({ base, head, forth, back }) => {
    expect({ forth: gravest(base, head), back: gravest(head, base) }).toEqual({ forth, back });
  });
});
